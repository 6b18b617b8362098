// Decimal numbers as std::from_chars reads them, even if the standard library supports whole numbers only
// (Apple's, and LLVM's before version 20). The sanitized build uses the replacement too, which tests it.
#pragma once

#include <charconv>

#if !defined(__cpp_lib_to_chars) || defined(PARAGAUGE_SANITIZE)
#define PARAGAUGE_OWN_DECIMALS
#endif

#if defined(PARAGAUGE_OWN_DECIMALS)
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>
#if defined(__APPLE__)
#include <xlocale.h>
#else
#include <locale.h>
#endif
#endif

namespace paragauge {

#if !defined(PARAGAUGE_OWN_DECIMALS)

inline std::from_chars_result read_decimal(const char* first, const char* last, double& value) {
    return std::from_chars(first, last, value);
}

#else

// The longest prefix that is a number in decimal, or inf or nan as strtod knows them; no spaces, no plus
// sign and no hexadecimal numbers before it, and the point is a point in every locale.
inline std::from_chars_result read_decimal(const char* first, const char* last, double& value) {
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    const char* digits = first != last && *first == '-' ? first + 1 : first;
    const bool blank = digits != last && (*digits == ' ' || ('\t' <= *digits && *digits <= '\r'));
    if (digits == last || blank || *digits == '+' || *digits == '-') return {first, std::errc::invalid_argument};
    const bool hexadecimal = last - digits > 1 && *digits == '0' && (digits[1] == 'x' || digits[1] == 'X');
    const std::string text(first, hexadecimal ? digits + 1 : last);
    char* end = nullptr;
    errno = 0;
    const double number = strtod_l(text.c_str(), &end, plain);
    if (end == text.c_str()) return {first, std::errc::invalid_argument};
    const char* const stop = first + (end - text.c_str());
    // Numbers that are small but not zero set errno too.
    if (errno == ERANGE && (number == 0 || std::isinf(number))) return {stop, std::errc::result_out_of_range};
    value = number;
    return {stop, std::errc{}};
}

#endif

}  // namespace paragauge

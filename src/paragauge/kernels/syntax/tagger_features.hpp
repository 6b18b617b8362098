// The tagger's features, group by group. The trainer lists them all for every word; the decoder
// adds up the groups that depend on one word only once per word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "syntax/tagger_words.hpp"

namespace paragauge {

constexpr std::size_t kMostTags = 63;
constexpr std::uint64_t kNoTag = 63;  // before the first word

// Of the word itself.
inline std::array<std::uint32_t, 17> own_keys(const WordForm& w) {
    std::array<std::uint32_t, 17> keys{
        feature_key(2, w.form),
        feature_key(3, w.lower),
        feature_key(4, w.shape),
        feature_key(5, w.form_class),
        feature_key(6, w.lower_class),
        feature_key(7, combine(w.suffix[2], w.shape)),
        feature_key(8, combine(w.suffix[1], w.flags)),
        feature_key(9, w.flags),
    };
    std::size_t at = 8;
    for (std::size_t n = 0; n < kSuffixes; ++n) keys[at++] = feature_key(10 + n, w.suffix[n]);
    for (std::size_t n = 0; n < kPrefixes; ++n) keys[at++] = feature_key(20 + n, w.prefix[n]);
    return keys;
}

// Of the word before.
inline std::array<std::uint32_t, 3> before_keys(const WordForm& w) {
    return {feature_key(30, w.lower), feature_key(31, w.suffix[2]), feature_key(32, w.shape)};
}

// Of the word after.
inline std::array<std::uint32_t, 5> after_keys(const WordForm& w) {
    return {feature_key(33, w.lower), feature_key(34, w.suffix[2]), feature_key(35, w.suffix[1]),
            feature_key(36, w.form_class), feature_key(37, w.shape)};
}

// Of the second word before, and of the second word after.
inline std::uint32_t before2_key(const WordForm& w) { return feature_key(38, w.lower); }
inline std::array<std::uint32_t, 2> after2_keys(const WordForm& w) {
    return {feature_key(39, w.lower), feature_key(40, w.form_class)};
}

// Of a capitalized or other shape at the start of a sentence.
inline std::uint32_t first_key(const WordContext& w) { return feature_key(41, w.shape); }

// Of several words together.
inline std::array<std::uint32_t, 7> joint_keys(const WordContext& before, const WordContext& w,
                                               const WordContext& after, const WordContext& after2) {
    const std::uint64_t classes = combine(w.form_class, after.form_class);
    return {feature_key(42, combine(before.lower, w.lower)),
            feature_key(43, combine(w.lower, after.lower)),
            feature_key(44, classes),
            feature_key(45, combine(classes, after2.form_class)),
            feature_key(46, combine(w.lower, after.form_class)),
            feature_key(47, combine(w.form_class, after.lower)),
            feature_key(48, combine(combine(before.shape, w.shape), after.shape))};
}

// Of the tags given so far.
inline std::array<std::uint32_t, 7> tag_keys(std::uint64_t tag, std::uint64_t tag2, const WordContext& w,
                                             const WordContext& after) {
    return {feature_key(49, tag),
            feature_key(50, combine(tag, tag2)),
            feature_key(51, combine(tag, w.lower)),
            feature_key(52, combine(tag, w.form_class)),
            feature_key(53, combine(tag, after.form_class)),
            feature_key(54, combine(tag, after.lower)),
            feature_key(55, combine(combine(tag, w.form_class), after.form_class))};
}

}  // namespace paragauge

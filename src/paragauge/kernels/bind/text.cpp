// Bindings of lines, tokenizers and numberings.

#include "bind/binding.hpp"
#include "text/encode.hpp"
#include "text/lines.hpp"
#include "text/rows.hpp"
#include "text/tokenize.hpp"
#include "text/typography.hpp"
#include "text/unicode_classes.hpp"
#include "text/utf8.hpp"

namespace paragauge {

namespace {

nb::object py_first_invalid(const Array<std::uint8_t>& buffer) {
    std::size_t at;
    {
        nb::gil_scoped_release release;
        at = first_invalid_utf8(text_of(buffer));
    }
    return at == std::string_view::npos ? nb::object(nb::none()) : nb::cast(at);
}

nb::object py_split_lines(const Array<std::uint8_t>& buffer, std::size_t start, std::size_t limit,
                          bool last) {
    require(start <= buffer.shape(0), "start must lie within the buffer");
    SplitLines result;
    {
        nb::gil_scoped_release release;
        result = split_lines(text_of(buffer).substr(start), limit, last);
        for (std::int64_t& position : result.spans) position += static_cast<std::int64_t>(start);
    }
    return nb::make_tuple(give(std::move(result.spans), 2), start + result.consumed);
}

nb::object py_split_fields(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    SplitFields result;
    {
        nb::gil_scoped_release release;
        result = split_fields(lines.data, lines.spans.data(), lines.lines());
    }
    return nb::make_tuple(give(std::move(result.spans), 2), give(std::move(result.groups)));
}

nb::object py_split_rows(const Array<std::uint8_t>& buffer, std::size_t limit, char delimiter, bool last) {
    require(delimiter != '"' && delimiter != '\n' && delimiter != '\r',
            "expected a delimiter other than quotes and line ends");
    SplitRows rows;
    {
        nb::gil_scoped_release release;
        rows = split_rows(text_of(buffer), limit, delimiter, last);
    }
    return nb::make_tuple(give(std::move(rows.spans), 2), give(std::move(rows.groups)),
                          give(std::move(rows.lines)), give(std::move(rows.unquoted)), rows.consumed,
                          rows.ended, static_cast<int>(rows.problem), rows.place);
}

std::size_t py_count_blank(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    nb::gil_scoped_release release;
    return count_blank(lines.data, lines.spans.data(), lines.lines());
}

std::size_t py_count_tabbed(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    nb::gil_scoped_release release;
    return count_tabbed(lines.data, lines.spans.data(), lines.lines());
}

nb::object py_lower_latin(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    Lowered result;
    {
        nb::gil_scoped_release release;
        result = lower_latin(text_of(buffer), lines.spans.data(), lines.lines());
    }
    return nb::make_tuple(give(std::move(result.text)), give(std::move(result.foreign)));
}

nb::object py_normalize_typography(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    std::optional<Joined> result;
    {
        nb::gil_scoped_release release;
        result = normalize_typography(lines);
    }
    if (!result) return nb::none();
    return nb::make_tuple(give(std::move(result->text)), give(std::move(result->offsets)));
}

nb::object py_tokenize_lines(const Array<std::uint8_t>& buffer, const Spans& spans,
                             std::string_view scheme, std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    const Scheme chosen = scheme_named(scheme);
    Joined result;
    {
        nb::gil_scoped_release release;
        result = tokenize_lines(lines, chosen, threads);
    }
    return nb::make_tuple(give(std::move(result.text)), give(std::move(result.offsets)));
}

nb::object py_encode_segments(const nb::list& list, std::string_view scheme, std::size_t threads) {
    const auto columns = columns_of<TextColumn>(list, [](auto buffer, auto spans, auto groups) {
        return text_column(exact<Array<std::uint8_t>>(buffer), exact<Spans>(spans), groups);
    });
    const Scheme chosen = scheme_named(scheme);
    std::vector<Encoded> encoded;
    {
        nb::gil_scoped_release release;
        encoded = encode_segments(columns, chosen, threads);
    }
    nb::list result;
    for (Encoded& column : encoded) result.append(give(std::move(column)));
    return result;
}

nb::object py_unicode_ranges(std::string_view name) {
    require(name == "N" || name == "P" || name == "S", "category must be N, P or S");
    const Category category = name == "N"   ? Category::Number
                              : name == "P" ? Category::Punctuation
                                            : Category::Symbol;
    std::vector<std::int64_t> ranges;
    for (const CategoryRange& range : category_ranges())
        if (range.category == category) {
            ranges.push_back(range.first);
            ranges.push_back(range.last);
        }
    return give(std::move(ranges), 2);
}

nb::object py_vocabulary_encode(Vocabulary& vocabulary, const Array<std::uint8_t>& buffer,
                                const Spans& spans, std::string_view scheme, bool grow,
                                std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    const Scheme chosen = scheme_named(scheme);
    Encoded encoded;
    {
        nb::gil_scoped_release release;
        encoded = vocabulary.encode(lines, chosen, grow, threads);
    }
    return give(std::move(encoded));
}

nb::object py_vocabulary_texts(const Vocabulary& vocabulary, std::size_t first) {
    Joined joined = vocabulary.texts(first);
    return nb::make_tuple(give(std::move(joined.text)), give(std::move(joined.offsets)));
}

void py_vocabulary_extend(Vocabulary& vocabulary, const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    nb::gil_scoped_release release;
    require(vocabulary.extend(lines), "expected new tokens, each once");
}

}  // namespace

void bind_text(nb::module_& m) {
    m.def("first_invalid_utf8", &py_first_invalid, nb::arg("buffer"));
    m.def("split_lines", &py_split_lines, nb::arg("buffer"), nb::arg("start"), nb::arg("limit"),
          nb::arg("last"));
    m.def("split_fields", &py_split_fields, nb::arg("buffer"), nb::arg("spans"));
    m.def("split_rows", &py_split_rows, nb::arg("buffer"), nb::arg("limit"), nb::arg("delimiter"),
          nb::arg("last"));
    m.def("count_blank", &py_count_blank, nb::arg("buffer"), nb::arg("spans"));
    m.def("count_tabbed", &py_count_tabbed, nb::arg("buffer"), nb::arg("spans"));
    m.def("lower_latin", &py_lower_latin, nb::arg("buffer"), nb::arg("spans"));
    m.def("normalize_typography", &py_normalize_typography, nb::arg("buffer"), nb::arg("spans"));
    m.def("tokenize_lines", &py_tokenize_lines, nb::arg("buffer"), nb::arg("spans"),
          nb::arg("scheme"), nb::arg("threads"));
    m.def("encode_segments", &py_encode_segments, nb::arg("columns"), nb::arg("scheme"),
          nb::arg("threads"));
    m.def("unicode_ranges", &py_unicode_ranges, nb::arg("category"));
    nb::class_<Vocabulary>(m, "Vocabulary")
        .def(nb::init<>())
        .def("__len__", &Vocabulary::size)
        .def("add", &Vocabulary::add, nb::arg("token"))
        .def("find", &Vocabulary::find, nb::arg("token"))
        .def("token", &Vocabulary::token, nb::arg("number"))
        .def("extend", &py_vocabulary_extend, nb::arg("buffer"), nb::arg("spans"))
        .def("texts", &py_vocabulary_texts, nb::arg("first"))
        .def("encode", &py_vocabulary_encode, nb::arg("buffer"), nb::arg("spans"), nb::arg("scheme"),
             nb::arg("grow"), nb::arg("threads"));
}

}  // namespace paragauge

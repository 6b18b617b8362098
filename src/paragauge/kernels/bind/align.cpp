// Bindings of word alignment: symmetrization and Pharaoh files.

#include "bind/binding.hpp"
#include "phrases/pharaoh.hpp"
#include "phrases/symmetrize.hpp"

namespace paragauge {

namespace {

// (source positions, target positions, offsets)
LinkColumn link_column(const nb::tuple& parts) {
    require(parts.size() == 3, "links are a tuple of three");
    const LinkColumn links{view(exact<Array<std::int32_t>>(parts[0])),
                           view(exact<Array<std::int32_t>>(parts[1])),
                           view(exact<Array<std::int64_t>>(parts[2]))};
    require(links.source.size() == links.target.size(),
            "every link must have a source and a target position");
    check_increasing(links.offsets, links.source.size(),
                     "offsets must not decrease and must stay within the links");
    return links;
}

nb::object py_symmetrize(nb::tuple forward, nb::tuple reverse, std::string_view heuristic,
                         std::size_t threads) {
    const LinkColumn forward_links = link_column(forward), reverse_links = link_column(reverse);
    require(forward_links.pairs() == reverse_links.pairs(),
            "both directions must have the same number of pairs");
    const Heuristic chosen = heuristic_named(heuristic);
    LinkLists links;
    {
        nb::gil_scoped_release release;
        links = symmetrize(forward_links, reverse_links, chosen, threads);
    }
    return nb::make_tuple(give(std::move(links.source)), give(std::move(links.target)),
                          give(std::move(links.offsets)));
}

nb::object py_parse_pharaoh(const Array<std::uint8_t>& buffer, const Spans& spans,
                            std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    PharaohLinks links;
    {
        nb::gil_scoped_release release;
        links = parse_pharaoh(lines, threads);
    }
    return nb::make_tuple(give(std::move(links.source)), give(std::move(links.target)),
                          give(std::move(links.possible)), give(std::move(links.offsets)),
                          give(std::move(links.bad)));
}

}  // namespace

void bind_align(nb::module_& m) {
    m.def("symmetrize", &py_symmetrize, nb::arg("forward"), nb::arg("reverse"), nb::arg("heuristic"),
          nb::arg("threads"));
    m.def("parse_pharaoh", &py_parse_pharaoh, nb::arg("buffer"), nb::arg("spans"), nb::arg("threads"));
}

}  // namespace paragauge

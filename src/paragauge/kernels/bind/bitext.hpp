// Shared by bindings of kernels on bitexts: links between sentences as columns.
#pragma once

#include "base/columns.hpp"
#include "bind/binding.hpp"
#include "phrases/bitext.hpp"

namespace paragauge {

inline LinkColumn link_column(nb::handle object, const IdColumn& source, const IdColumn& target) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 3, "links are a tuple of three");
    const LinkColumn links{view(exact<Array<std::int32_t>>(parts[0])),
                           view(exact<Array<std::int32_t>>(parts[1])),
                           view(exact<Array<std::int64_t>>(parts[2]))};
    require(links.source.size() == links.target.size(), "a link has a source and a target");
    check_increasing(links.offsets, links.source.size(),
                     "offsets must not decrease and must stay within the links");
    require(links.offsets.size() == source.offsets.size() &&
                links.offsets.size() == target.offsets.size(),
            "both sides and the links must have the same number of sentences");
    for (std::size_t number = 0; number + 1 < links.offsets.size(); ++number) {
        const std::int64_t words = source.offsets[number + 1] - source.offsets[number];
        const std::int64_t others = target.offsets[number + 1] - target.offsets[number];
        const auto first = static_cast<std::size_t>(links.offsets[number]);
        const auto last = static_cast<std::size_t>(links.offsets[number + 1]);
        for (std::size_t i = first; i < last; ++i) {
            const std::int32_t s = links.source[i], t = links.target[i];
            require(0 <= s && s < words && 0 <= t && t < others, "links must stay within their sentences");
            require(i == first || links.source[i - 1] < s ||
                        (links.source[i - 1] == s && links.target[i - 1] < t),
                    "links must be sorted and different");
        }
    }
    return links;
}

}  // namespace paragauge

#include "syntax/brackets.hpp"

#include <limits>

namespace paragauge {

namespace {

constexpr std::string_view kEmpty = "-NONE-";
constexpr std::string_view kRoot = "ROOT";  // the label of an unlabeled bracket around a tree
constexpr std::size_t kShown = 40;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// At most 40 characters of a text.
std::string shorten(std::string_view text) {
    std::size_t characters = 0, at = 0;
    for (; at < text.size(); ++at)
        if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && ++characters > kShown) break;
    return std::string(text.substr(0, at));
}

// A label without function tags and indices; -LRB- and the like have none.
std::string_view category(std::string_view label) {
    if (label.front() == '-') return label;
    const std::size_t cut = label.find_first_of("-=", 1);
    return label.substr(0, cut);
}

class Reader {
public:
    Reader(BracketedTrees& out, Vocabulary& labels, bool strip, const char* data)
        : out_(out), labels_(labels), strip_(strip), data_(data) {}

    // What is wrong with the tree, or nothing.
    std::string read(std::string_view tree) {
        first_node_ = out_.label.size();
        words_ = 0;
        open_.clear();
        atoms_ = 0;
        before_ = '\0';
        for (std::size_t at = 0; at < tree.size();) {
            const char c = tree[at];
            if (is_blank(c)) {
                ++at;
                continue;
            }
            std::string wrong;
            if (c == '(') {
                wrong = opened();
                ++at;
            } else if (c == ')') {
                wrong = closed();
                ++at;
            } else {
                const std::size_t start = at;
                while (at < tree.size() && !is_blank(tree[at]) && tree[at] != '(' && tree[at] != ')')
                    ++at;
                wrong = atom(tree.substr(start, at - start));
            }
            if (!wrong.empty()) return wrong;
        }
        if (before_ == '\0') return "found nothing";
        if (!open_.empty()) return "found " + std::to_string(open_.size()) + " brackets that are not closed";
        out_.offsets.push_back(static_cast<std::int64_t>(out_.label.size()));
        out_.word_offsets.push_back(static_cast<std::int64_t>(out_.words.size() / 2));
        return {};
    }

private:
    std::string beside() const { return "found '" + shorten(last_) + "' beside a constituent"; }

    std::string opened() {
        if (before_ == '(' && open_.size() > 1 && atoms_ == 0) return "found a bracket without a label";
        if (atoms_ > 1 || (atoms_ == 1 && before_ == ')')) return beside();
        if (open_.empty() && before_ != '\0') return "found more than one";
        if (before_ == '(') name(atoms_ == 1 ? first_ : kRoot);
        const std::size_t node = out_.label.size();
        const bool top = open_.empty();
        out_.label.push_back(0);
        out_.begin.push_back(words_);
        out_.end.push_back(words_);
        out_.parent.push_back(top ? -1 : static_cast<std::int32_t>(open_.back() - first_node_));
        open_.push_back(node);
        before_ = '(';
        atoms_ = 0;
        return {};
    }

    std::string closed() {
        if (open_.empty()) return "found a closing bracket too many";
        if (before_ == '(' && atoms_ != 2) return "found a leaf of " + std::to_string(atoms_) + " parts";
        if (before_ == ')' && atoms_ > 0) return beside();
        const std::size_t node = open_.back();
        if (before_ == '(' && first_ != kEmpty) {
            name(first_);
            const std::int64_t start = last_.data() - data_;
            out_.words.push_back(start);
            out_.words.push_back(start + static_cast<std::int64_t>(last_.size()));
            if (words_ == std::numeric_limits<std::int32_t>::max()) return "found more words than fit";
            ++words_;
        }
        open_.pop_back();
        out_.end[node] = words_;
        // Only empty elements: everything after this constituent is removed already.
        if (out_.begin[node] == words_)
            for (auto* column : {&out_.label, &out_.begin, &out_.end, &out_.parent}) column->pop_back();
        before_ = ')';
        atoms_ = 0;
        return {};
    }

    std::string atom(std::string_view text) {
        if (open_.empty()) return "found '" + shorten(text) + "' outside of brackets";
        if (atoms_++ == 0) first_ = text;
        last_ = text;
        return {};
    }

    // Labels the innermost open constituent.
    void name(std::string_view label) {
        if (strip_) label = category(label);
        out_.label[open_.back()] = labels_.add(label);
    }

    BracketedTrees& out_;
    Vocabulary& labels_;
    bool strip_;
    const char* data_;
    std::size_t first_node_ = 0;
    std::int32_t words_ = 0;
    std::vector<std::size_t> open_;
    std::size_t atoms_ = 0;  // since the last bracket
    std::string_view first_, last_;
    char before_ = '\0';  // the last bracket
};

}  // namespace

BracketedTrees read_brackets(const TextColumn& lines, Vocabulary& labels, bool strip) {
    BracketedTrees out;
    Reader reader(out, labels, strip, lines.data);
    for (std::size_t i = 0; i < lines.lines(); ++i) {
        std::string wrong = reader.read(lines.line(i));
        if (wrong.empty()) continue;
        const auto nodes = static_cast<std::size_t>(out.offsets.back());
        for (auto* column : {&out.label, &out.begin, &out.end, &out.parent}) column->resize(nodes);
        out.words.resize(2 * static_cast<std::size_t>(out.word_offsets.back()));
        out.bad = static_cast<std::int64_t>(i);
        out.message = std::move(wrong);
        break;
    }
    return out;
}

BracketSpans bracket_spans(std::string_view text) {
    BracketSpans result{{}, 0};
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] != ')') continue;
        if (depth > 0) --depth;
        if (depth > 0) continue;
        std::size_t start = result.consumed;
        while (is_blank(text[start])) ++start;
        result.consumed = at + 1;
        result.spans.push_back(static_cast<std::int64_t>(start));
        result.spans.push_back(static_cast<std::int64_t>(at + 1));
    }
    return result;
}

}  // namespace paragauge

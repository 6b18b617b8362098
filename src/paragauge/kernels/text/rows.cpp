#include "text/rows.hpp"

#include <array>
#include <cstring>

namespace paragauge {

namespace {

constexpr std::size_t absent = std::string_view::npos;

// Reads one row; knows where it is and what ends a plain field.
class RowReader {
  public:
    RowReader(std::string_view text, char delimiter, bool last)
        : text_(text), delimiter_(delimiter), last_(last) {
        ends_[static_cast<unsigned char>(delimiter)] = ends_[static_cast<unsigned char>('\n')] =
            ends_[static_cast<unsigned char>('\r')] = true;
    }

    // Reads the row that begins at `at`; false if it is incomplete or wrong, and nothing is kept then.
    bool read(std::size_t at, SplitRows& rows) {
        const std::size_t fields = rows.spans.size(), texts = rows.unquoted.size();
        at_ = at;
        newlines_ = 0;
        while (read_field(rows)) {
            if (at_ < text_.size() && text_[at_] == delimiter_) {
                ++at_;
                // A delimiter at the very end is followed by an empty field.
                if (at_ < text_.size() || last_) continue;
                break;
            }
            if (at_ < text_.size()) {
                at_ += text_[at_] == '\r' ? 2 : 1;
                ++newlines_;
            }
            return true;
        }
        rows.spans.resize(fields);
        rows.unquoted.resize(texts);
        return false;
    }

    std::size_t at() const { return at_; }
    std::int64_t newlines() const { return newlines_; }

  private:
    // Reads a field up to what ends it; false if that is not there.
    bool read_field(SplitRows& rows) {
        if (at_ < text_.size() && text_[at_] == '"') return read_quoted(rows);
        const std::size_t start = at_;
        while (at_ < text_.size() && !ends_[static_cast<unsigned char>(text_[at_])]) ++at_;
        keep(rows, start, at_);
        return check_end(rows, RowProblem::stray_return);
    }

    bool read_quoted(SplitRows& rows) {
        const std::size_t quote = at_++;
        std::size_t start = at_;
        bool doubled = false;
        const std::size_t moved = text_.size() + rows.unquoted.size();
        while (true) {
            const void* found = at_ == text_.size() ? nullptr
                                                    : std::memchr(text_.data() + at_, '"', text_.size() - at_);
            const std::size_t close =
                found == nullptr ? absent
                                 : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
            count_newlines(at_, close == absent ? text_.size() : close);
            if (close == absent || (close + 1 == text_.size() && !last_)) {
                if (last_) fail(rows, RowProblem::open_quote, quote);
                return false;
            }
            at_ = close + 1;
            if (at_ == text_.size() || text_[at_] != '"') break;
            rows.unquoted.append(text_.substr(start, at_ - start));
            start = ++at_;
            doubled = true;
        }
        if (doubled) {
            rows.unquoted.append(text_.substr(start, at_ - 1 - start));
            keep(rows, moved, text_.size() + rows.unquoted.size());
        } else {
            keep(rows, start, at_ - 1);
        }
        return check_end(rows, RowProblem::after_quote);
    }

    // Whether the field ends here, by a delimiter, a line end or the end of the input.
    bool check_end(SplitRows& rows, RowProblem otherwise) {
        if (at_ == text_.size()) return last_;
        const char c = text_[at_];
        if (c == delimiter_ || c == '\n') return true;
        if (c != '\r') {
            fail(rows, otherwise, at_);
            return false;
        }
        if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') return true;
        if (at_ + 1 < text_.size() || last_) fail(rows, RowProblem::stray_return, at_);
        return false;
    }

    void count_newlines(std::size_t from, std::size_t to) {
        while (from < to) {
            const void* found = std::memchr(text_.data() + from, '\n', to - from);
            if (found == nullptr) return;
            ++newlines_;
            from = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) + 1;
        }
    }

    static void keep(SplitRows& rows, std::size_t start, std::size_t stop) {
        rows.spans.push_back(static_cast<std::int64_t>(start));
        rows.spans.push_back(static_cast<std::int64_t>(stop));
    }

    static void fail(SplitRows& rows, RowProblem problem, std::size_t place) {
        rows.problem = problem;
        rows.place = place;
    }

    std::string_view text_;
    char delimiter_;
    bool last_;
    std::array<bool, 256> ends_{};
    std::size_t at_ = 0;
    std::int64_t newlines_ = 0;
};

}  // namespace

SplitRows split_rows(std::string_view text, std::size_t limit, char delimiter, bool last) {
    SplitRows rows;
    rows.groups.push_back(0);
    RowReader reader(text, delimiter, last);
    while (rows.lines.size() < limit && rows.consumed < text.size()) {
        if (!reader.read(rows.consumed, rows)) break;
        rows.lines.push_back(rows.ended);
        rows.groups.push_back(static_cast<std::int64_t>(rows.spans.size() / 2));
        rows.consumed = reader.at();
        rows.ended += reader.newlines();
    }
    return rows;
}

}  // namespace paragauge

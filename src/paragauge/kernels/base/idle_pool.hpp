// Objects that threads take for a piece of work and give back for the next call, with what they have cached.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace paragauge {

template <class T>
class IdlePool {
public:
    // One that was given back, or a new one, made of `arguments`.
    template <class... Arguments>
    std::unique_ptr<T> take(Arguments&&... arguments) {
        {
            const std::scoped_lock lock(mutex_);
            if (!idle_.empty()) {
                std::unique_ptr<T> object = std::move(idle_.back());
                idle_.pop_back();
                return object;
            }
        }
        return std::make_unique<T>(std::forward<Arguments>(arguments)...);
    }

    void give_back(std::unique_ptr<T> object) {
        const std::scoped_lock lock(mutex_);
        if (idle_.size() < kMostIdle) idle_.push_back(std::move(object));
    }

private:
    static constexpr std::size_t kMostIdle = 16;

    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace paragauge

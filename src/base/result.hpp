#pragma once

#include <utility>
#include <variant>

#include "base/contract.hpp"
#include "base/issue.hpp"

namespace salvo {

// Either a value or every Issue that was found; never half a value.
template <class T>
class Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Issues issues) : content_(std::move(issues)) {}
  Result(Issue issue) : content_(Issues{std::move(issue)}) {}

  explicit operator bool() const { return std::holds_alternative<T>(content_); }

  T& operator*() & {
    SALVO_EXPECTS(static_cast<bool>(*this));
    return std::get<T>(content_);
  }
  const T& operator*() const& {
    SALVO_EXPECTS(static_cast<bool>(*this));
    return std::get<T>(content_);
  }
  T&& operator*() && {  // long texts are handed on, not copied
    SALVO_EXPECTS(static_cast<bool>(*this));
    return std::get<T>(std::move(content_));
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  const Issues& issues() const {
    SALVO_EXPECTS(!*this);
    return std::get<Issues>(content_);
  }

 private:
  std::variant<T, Issues> content_;
};

}  // namespace salvo

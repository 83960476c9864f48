"""What a row of a likelihood costs as a function of one number u, with two derivatives, for every law."""
import numpy as np
from scipy.special import gammaln, log_ndtr


def argument(law):
    """The number in negative-binomial(5)."""
    return float(law[law.index("(") + 1:-1])


def is_count(law):
    return law == "poisson" or law.startswith("negative-binomial")


def constant_of(law, value):
    """What does not depend on u, for the value of a count."""
    if "laplace" in law:
        return np.log(2)
    if law.startswith("student-t"):
        nu = argument(law)
        return gammaln(nu / 2) + 0.5 * np.log(nu * np.pi) - gammaln((nu + 1) / 2)
    if law == "poisson":
        return gammaln(value + 1)
    if law.startswith("negative-binomial"):
        k = argument(law)
        return gammaln(value + 1) + gammaln(k) - gammaln(value + k) - k * np.log(k)
    return 0.5 * np.log(2 * np.pi)


class Costs:
    """For rows with these laws, values (of counts) and sides (of limits: u is how far the mean is on the right side of it)."""

    def __init__(self, laws, values, sides):
        self.values = np.array(values, dtype=float)
        self.limit = np.array([bool(side) for side in sides])
        self.corner = np.array(["laplace" in law for law in laws]) & ~self.limit
        self.student = np.array([law.startswith("student-t") for law in laws]) & ~self.limit
        self.poisson = np.array([law == "poisson" for law in laws])
        self.negative_binomial = np.array([law.startswith("negative-binomial") for law in laws])
        self.number = np.array([argument(law) if "(" in law else 1.0 for law in laws])
        self.constant = sum(constant_of(law, value) for law, value, side in zip(laws, values, sides) if not side)

    def choose(self, normal, corner, student, poisson, negative_binomial, limit):
        kinds = [self.corner, self.student, self.poisson, self.negative_binomial, self.limit]
        return np.select(kinds, [corner, student, poisson, negative_binomial, limit], normal)

    def value(self, u, smoothing):
        y, k = self.values, self.number
        with np.errstate(all="ignore"):
            log = np.where(y > 0, y * np.log(np.where(u > 0, u, np.nan)), np.where(u >= 0, 0.0, np.nan))
            return self.choose(0.5 * u * u, np.sqrt(u * u + smoothing * smoothing), 0.5 * (k + 1) * np.log1p(u * u / k),
                               u - log, (y + k) * np.log(k + u) - log, -log_ndtr(u))

    def first(self, u, smoothing):
        y, k = self.values, self.number
        with np.errstate(all="ignore"):
            return self.choose(u, u / np.maximum(np.sqrt(u * u + smoothing * smoothing), 1e-300), (k + 1) * u / (k + u * u),
                               1 - self.share(u), (y + k) / (k + u) - self.share(u), -self.hazard(u))

    def second(self, u, smoothing):
        y, k = self.values, self.number
        with np.errstate(all="ignore"):
            rounded = smoothing**2 / np.maximum(u * u + smoothing * smoothing, 1e-300) ** 1.5
            hazard = self.hazard(u)
            return self.choose(np.ones_like(u), rounded, (k + 1) * (k - u * u) / (k + u * u) ** 2, self.share(u) / np.maximum(u, 1e-300),
                               self.share(u) / np.maximum(u, 1e-300) - (y + k) / (k + u) ** 2, hazard * (hazard + u))

    def share(self, u):
        """Of a count in its mean; of no counts 0, where the mean is 0 too."""
        return np.where(self.values > 0, self.values / u, 0)

    @staticmethod
    def hazard(u):
        return np.exp(-0.5 * u * u - 0.5 * np.log(2 * np.pi) - log_ndtr(u))

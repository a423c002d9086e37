# SPDX-License-Identifier: MIT
"""Places in statistics: of the command they are times of the target's clock, of the page they count from t0."""


def places_in_ticks(value, hz, zero=0):
    """The statistics with places (`..._at`) in ticks since `zero`."""
    if isinstance(value, list):
        return [places_in_ticks(one, hz, zero) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: [round(t * hz / 10**9 if hz else t) - zero for t in one] if name.endswith("_at") and one else places_in_ticks(one, hz, zero)
            for name, one in value.items()}

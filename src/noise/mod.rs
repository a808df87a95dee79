//! Noise, eight lanes at a time.

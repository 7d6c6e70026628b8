package dev.touchstone.messaging.samples;

import java.time.Duration;

/** What the samples share. */
final class Samples {
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Samples() {}
}

package dev.touchstone.harness.run;

import dev.touchstone.harness.store.Noise;
import java.util.function.Supplier;

/** Watches what else the machine does while a fork runs. */
@FunctionalInterface
public interface NoiseProbe {
    /** Starts to watch; the supplier, asked once, ends it. */
    Supplier<Noise> start();
}

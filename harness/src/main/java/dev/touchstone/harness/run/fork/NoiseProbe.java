package dev.touchstone.harness.run.fork;

import dev.touchstone.harness.store.Noise;
import java.util.function.Supplier;

/** Watches what else the machine does while a fork runs. */
@FunctionalInterface
public interface NoiseProbe {
    /**
     * Starts to watch.
     *
     * @return supplier that ends the watch and returns its result; to be asked once
     */
    Supplier<Noise> start();
}

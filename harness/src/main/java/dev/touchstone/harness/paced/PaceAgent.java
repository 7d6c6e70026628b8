package dev.touchstone.harness.paced;

import java.lang.instrument.Instrumentation;

/** Enters a fork's JVM before its benchmark. */
public final class PaceAgent {
    private PaceAgent() {}

    /**
     * Called by the JVM.
     *
     * @param rate calls a second
     */
    public static void premain(String rate, Instrumentation instrumentation) {
        Pacing.rate(Integer.parseInt(rate));
        instrumentation.addTransformer(new LoopTransformer());
    }
}

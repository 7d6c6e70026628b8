package dev.touchstone.harness.sample;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckRule;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Checks that end in bad ways: one never does, whatever interrupts it, and one takes its JVM with it. The others hold. */
public final class FaultsRule implements CheckRule {
    @Override
    public String part() {
        return "faults";
    }

    @Override
    public SemanticCheck check(Matrix.Workload workload, String subject) {
        return new Check(workload.id() + "/" + subject);
    }

    private record Check(String cell) implements SemanticCheck {
        @Override
        public String observes() {
            return "nothing";
        }

        @Override
        public void run(Path dataFolder) {
            switch (cell) {
                case "count-broken/OURS" -> hang();
                case "count-broken/BROKEN" -> Runtime.getRuntime().halt(7);
                default -> {
                    // holds
                }
            }
        }

        private static void hang() {
            CountDownLatch never = new CountDownLatch(1);
            while (never.getCount() > 0) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    // as a subject that swallows interrupts
                }
            }
        }
    }
}

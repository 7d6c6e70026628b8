package dev.touchstone.queue.replicated.faults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The clock of classes that the agent has changed. */
class ClockAgentTest {
    private static final long DAY = TimeUnit.DAYS.toMillis(1);

    /** A class that asks the machine's clock, until it is changed. */
    public static final class Asking implements LongSupplier {
        static final long CONSTANT = 1L << 40; // takes two places in the constant pool
        static final double OTHER = 1.5;

        @Override
        public long getAsLong() {
            return System.currentTimeMillis() + (CONSTANT - CONSTANT) * (long) OTHER;
        }
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(ClockAgentTest.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(Asking.class.getName(), bytes, 0, bytes.length);
        }
    }

    @AfterEach
    void setClockRight() {
        JumpingClock.set(0);
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        try (InputStream in =
                requireNonNull(type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class"))) {
            return in.readAllBytes();
        }
    }

    @Test
    void transformed_class_asksTheJumpingClock() throws Exception {
        byte[] changed = requireNonNull(ClockAgent.transformed(bytesOf(Asking.class)));
        LongSupplier clock = (LongSupplier)
                new Loader().define(changed).getDeclaredConstructor().newInstance();
        JumpingClock.set(-DAY);
        assertThat(clock.getAsLong())
                .isBetween(System.currentTimeMillis() - DAY - 60_000, System.currentTimeMillis() - DAY);
        assertThat(new Asking().getAsLong()).isGreaterThan(System.currentTimeMillis() - 60_000);
    }

    @Test
    void transformed_classWithoutTheCall_isLeftAlone() throws Exception {
        assertThat(ClockAgent.transformed(bytesOf(LinkPump.class))).isNull();
    }
}

package dev.touchstone.benchmarks.messaging.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class CountedClientTest {

    private static final int STEP = 7;

    @Test
    void echo_countGrows_asManyCallsReturnAsWereCounted() throws Exception {
        AtomicLong looks = new AtomicLong();
        CountedClient client = new CountedClient(() -> looks.incrementAndGet() * STEP, "answer");
        for (int i = 0; i < STEP * 2; i++) {
            assertThat(client.echo()).isEqualTo("answer");
        }
        assertThat(looks).hasValue(2);
    }

    @Test
    void begin_echoesFromBefore_areNotTaken() throws Exception {
        AtomicLong count = new AtomicLong(1_000);
        AtomicLong looks = new AtomicLong();
        CountedClient client = new CountedClient(
                () -> {
                    looks.incrementAndGet();
                    return count.get();
                },
                "answer");
        client.begin();
        count.incrementAndGet();
        client.echo();
        assertThat(looks).hasValue(2);
    }

    @Test
    void echo_countFails_failureIsThrown() {
        CountedClient client = new CountedClient(
                () -> {
                    throw new IOException("ended");
                },
                "answer");
        assertThatThrownBy(client::echo).isInstanceOf(IOException.class).hasMessage("ended");
    }

    @Test
    void echo_interrupted_ends() {
        CountedClient client = new CountedClient(() -> 0, "answer");
        Thread.currentThread().interrupt();
        assertThatThrownBy(client::echo).isInstanceOf(InterruptedException.class);
    }
}

package dev.touchstone.index.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseTest {
    private static final int MOST = 100_000;

    private final AtomicInteger used = new AtomicInteger();
    private final Response answer = new Response(new MemoryBudget() {
        @Override
        public boolean take(int bytes) {
            if (used.get() + bytes > MOST) {
                return false;
            }
            used.addAndGet(bytes);
            return true;
        }

        @Override
        public void give(int bytes) {
            used.addAndGet(-bytes);
        }
    });

    @Test
    void put_beyondTheRoom_failsAndFreeGivesAllBack() {
        byte[] kilobyte = new byte[1000];
        assertThatThrownBy(() -> {
                    while (true) {
                        answer.put(kilobyte);
                    }
                })
                .isInstanceOf(NoRoomException.class)
                .hasMessageContaining("bytes=");
        assertThat(used.get()).isEqualTo(answer.taken()).isEqualTo(answer.bytes().length);
        answer.busy("later");
        assertThat(answer.status()).isEqualTo(503);
        answer.free();
        assertThat(used.get()).isZero();
        assertThat(answer.size()).isZero();
    }

    @Test
    void take_handsOverWhatWasTaken() {
        answer.put(new byte[5000]);
        int taken = answer.taken();
        assertThat(taken).isBetween(5000, MOST);
        assertThat(answer.take()).hasSize(taken);
        answer.free();
        assertThat(used.get()).as("what the caller has to give back").isEqualTo(taken);
    }

    @Test
    void memoryThatTheHeapDoesNotHave_isGivenBackToTheRoom() {
        AtomicLong taken = new AtomicLong();
        Response large = new Response(new MemoryBudget() {
            @Override
            public boolean take(int bytes) {
                taken.addAndGet(bytes);
                return true;
            }

            @Override
            public void give(int bytes) {
                taken.addAndGet(-bytes);
            }
        });
        large.put(new byte[5000]);
        long before = taken.get();
        assertThatThrownBy(() -> large.expect(Integer.MAX_VALUE - 5000)) // no array is so long
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(taken.get()).isEqualTo(before).isEqualTo(large.taken());
    }

    @Test
    void json_longText_takesRoomForItsLengthOnly() {
        String text = "a\u00e4\u20ac".repeat(15_000);
        answer.put('[').json(text).put(']');
        assertThat(new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8))
                .isEqualTo("[\"" + text + "\"]");
    }

    @ParameterizedTest
    @CsvSource({"'\"',\\\"", "\\,\\\\", "\ud83d\ude00,\ud83d\ude00", "\u007f,\\u007f"})
    void json_longTextOfOneCharacter_isWritten(String one, String shown) {
        answer.json(one.repeat(5_000));
        assertThat(new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8))
                .isEqualTo('"' + shown.repeat(5_000) + '"');
    }

    @Test
    void json_longTextOfHalfCharacters_isWrittenAsEscapes() {
        answer.json("\ud800".repeat(5_000));
        assertThat(new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8))
                .isEqualTo('"' + "\\ud800".repeat(5_000) + '"');
    }

    @Test
    void put_upToTheFreeBytes_takesNothing() {
        AtomicInteger most = new AtomicInteger();
        Response some = new Response(
                new MemoryBudget() {
                    @Override
                    public boolean take(int bytes) {
                        most.accumulateAndGet(bytes, Math::max);
                        return true;
                    }

                    @Override
                    public void give(int bytes) {
                        // all of it is known
                    }
                },
                8_000);
        some.put(new byte[8_000]);
        assertThat(most.get()).isZero();
        assertThat(some.taken()).isZero();
        some.put(1);
        assertThat(some.taken()).isEqualTo(some.bytes().length);
    }
}

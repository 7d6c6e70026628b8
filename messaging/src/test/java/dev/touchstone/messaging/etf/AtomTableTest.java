package dev.touchstone.messaging.etf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.touchstone.messaging.term.Atom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AtomTableTest {
    private static Atom get(AtomTable table, String name) {
        byte[] bytes = ("x" + name + "x").getBytes(StandardCharsets.UTF_8);
        return table.get(bytes, 1, bytes.length - 2);
    }

    @Test
    void get_ofAKnownName_givesTheSameAtomAndAllocatesNothing() {
        AtomTable table = new AtomTable();
        byte[] bytes = "some_name".getBytes(StandardCharsets.UTF_8);
        Atom atom = table.get(bytes, 0, bytes.length);
        Runnable gets = () -> {
            for (int i = 0; i < 100_000; i++) {
                assertSame(atom, table.get(bytes, 0, bytes.length));
            }
        };
        gets.run();
        long allocated = Allocated.by(gets);
        assertThat(allocated).isLessThan(10_000);
    }

    @Test
    void get_ofNamesOfAllLengths_givesTheAtomOfThatName() {
        AtomTable table = new AtomTable(16);
        for (int round = 0; round < 2; round++) {
            for (int length = 0; length <= 255; length++) {
                for (String letter : new String[] {"a", "\u00e4", "\ud83d\ude00"}) {
                    String name = letter.repeat(length);
                    assertThat(get(table, name)).isEqualTo(Atom.of(name)).hasSameHashCodeAs(Atom.of(name));
                }
            }
        }
    }

    @Test
    void get_ofAMillionNames_keepsNoMoreThanItsSlots() {
        AtomTable table = new AtomTable();
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        long before = runtime.totalMemory() - runtime.freeMemory();
        for (int i = 0; i < 1_000_000; i++) {
            String name = "a_name_of_a_usual_length_" + i;
            Atom atom = get(table, name);
            if (i % 1000 == 0) {
                assertThat(atom.name()).isEqualTo(name);
            }
        }
        System.gc();
        long grown = runtime.totalMemory() - runtime.freeMemory() - before;
        assertThat(table.size()).isLessThanOrEqualTo(8192);
        assertThat(grown).isLessThan(16 << 20);
    }

    @Test
    void get_ofTheLongestNames_keepsNoMoreThanAFewMiB() {
        AtomTable table = new AtomTable();
        for (int i = 0; i < 20_000; i++) {
            get(table, i + "\ud83d\ude00".repeat(240));
        }
        assertThat(table.size()).isZero();
    }

    @Test
    void get_byManyThreadsInATinyTable_neverGivesAnotherAtom() throws InterruptedException, ExecutionException {
        AtomTable table = new AtomTable(4);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                ends.add(threads.submit(() -> {
                    for (int i = 0; i < 300_000; i++) {
                        String name = "n" + (i * 7 + thread) % 11;
                        if (!get(table, name).name().equals(name)) {
                            throw new AssertionError("name=" + name);
                        }
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void get_ofBytesThatAreNoName_isRefused() {
        byte[] bytes = {(byte) 0xff, 'a'};
        assertThatThrownBy(() -> new AtomTable().get(bytes, 0, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AtomTable(3)).isInstanceOf(IllegalArgumentException.class);
    }
}

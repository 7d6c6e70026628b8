package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.replication.NotProposedException;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares what senders are told with the members' entries, while members come and go and the leadership moves. Seed: {@code -Dseed}; length: {@code -Dchurn.seconds}. */
class ChurnTest {
    private static final int THREADS = 4;
    private static final int IN_FLIGHT = 16;

    @TempDir
    Path folder;

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> told = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable ReplicationGroup> members = new AtomicReferenceArray<>(3);

    @Test
    void propose_membersComeAndGo_tellsEachOutcomeOnceAndTruly() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        long seconds = Long.getLong("churn.seconds", 6);
        System.Logger log = System.getLogger(ChurnTest.class.getName());
        log.log(System.Logger.Level.INFO, "ChurnTest -Dseed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        try (Group group = Group.started(folder, 3)) {
            publish(group);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom own = random.split();
                String name = "thread" + i;
                threads.add(new Thread(() -> offer(name, own, end)));
            }
            threads.forEach(Thread::start);
            while (System.nanoTime() < end) {
                disturb(group, random);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            Group.offer(group.member(group.awaitLeader()), "last");
            check(group);
            log.log(
                    System.Logger.Level.INFO,
                    "acknowledged=" + acknowledged.size() + " refused=" + refused.size() + " unknown="
                            + unknown.size());
        }
    }

    private void publish(Group group) {
        for (int i = 0; i < 3; i++) {
            members.set(i, group.running.get(group.addresses.get(i)));
        }
    }

    private void disturb(Group group, SplittableRandom random) throws IOException {
        String leader = group.awaitLeader();
        String victim = group.addresses.get(random.nextInt(3));
        switch (random.nextInt(3)) {
            case 0 -> {
                group.close(victim);
                publish(group);
                if (random.nextBoolean()) {
                    String unused = group.awaitLeader();
                }
                group.start(victim, group.addresses);
            }
            case 1 -> {
                try {
                    group.member(victim).transfer(null, Duration.ofSeconds(5));
                } catch (IOException busy) {
                    // a transfer may be refused
                }
            }
            default -> group.member(leader).snapshot();
        }
        publish(group);
        Group.pause(random.nextInt(200));
    }

    private void offer(String name, SplittableRandom random, long end) {
        Semaphore window = new Semaphore(IN_FLIGHT);
        AtomicInteger refusals = new AtomicInteger();
        for (int i = 0; System.nanoTime() < end; i++) {
            ReplicationGroup member = members.get(random.nextInt(3));
            if (member == null) {
                continue;
            }
            window.acquireUninterruptibly();
            if (refusals.getAndSet(0) > 0) {
                Group.pause(1);
            }
            String text = name + " " + i;
            member.propose(CountingMachine.entry(text), failure -> {
                told.computeIfAbsent(text, absent -> new AtomicInteger()).incrementAndGet();
                Set<String> outcome =
                        failure == null ? acknowledged : failure instanceof NotProposedException ? refused : unknown;
                outcome.add(text);
                window.release();
                if (failure instanceof NotProposedException) {
                    refusals.incrementAndGet();
                }
            });
        }
        assertThat(tryAll(window)).as("all outcomes of " + name).isTrue();
    }

    private static boolean tryAll(Semaphore window) {
        try {
            return window.tryAcquire(IN_FLIGHT, 60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void check(Group group) throws IOException {
        String leader = group.awaitLeader();
        List<String> entries = group.machine(leader).entries();
        Set<String> found = new HashSet<>(entries);
        assertThat(found).as("entries that are there twice").hasSize(entries.size());
        assertThat(acknowledged.stream().filter(text -> !found.contains(text)))
                .as("lost")
                .isEmpty();
        assertThat(refused.stream().filter(found::contains))
                .as("refused, but there")
                .isEmpty();
        assertThat(told.values()).allMatch(count -> count.get() == 1);
        assertThat(acknowledged.size() + refused.size() + unknown.size()).isEqualTo(told.size());
        JraftGroupTest.awaitEntries(group, entries);
        for (CountingMachine machine : group.machines.values()) {
            assertThat(machine.events).doesNotContain("called after its end");
        }
    }
}

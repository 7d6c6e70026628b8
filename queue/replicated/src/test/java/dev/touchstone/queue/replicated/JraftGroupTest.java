package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.NotProposedException;
import dev.touchstone.queue.replication.ReplicationEngine;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Entries of a group of three members in this process. */
class JraftGroupTest {
    @TempDir
    Path folder;

    /** A caller that runs out of stack while it holds a lock of jraft's, or of an executor's queue, would keep it for good. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void calls_atEachDepthNearTheEndOfTheStack_leaveTheLeaderAtWork() throws Exception {
        try (Group group = Group.started(folder, 1)) {
            ReplicationGroup member = group.member(group.awaitLeader());
            Group.offer(member, "before");
            Consumer<ReplicationGroup> proposal = leader -> {
                CompletableFuture<?> unused = Group.propose(leader, "deep");
            };
            Consumer<ReplicationGroup> barrier = leader -> {
                CompletableFuture<?> unused = Group.barrier(leader);
            };
            for (Consumer<ReplicationGroup> call : List.of(proposal, barrier, JraftGroupTest::askForMembers)) {
                int[] calls = {3_000};
                Thread caller = new Thread(null, () -> descend(member, call, calls), "caller", 192 << 10);
                caller.start();
                caller.join();
                long start = System.nanoTime();
                Group.offer(member, "after");
                Group.get(Group.barrier(member));
                for (int i = 0; i < 32; i++) { // each thread of the member's executor
                    askForMembers(member);
                }
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            }
        }
    }

    private static void askForMembers(ReplicationGroup member) {
        try {
            assertThat(member.members()).hasSize(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until there is no stack
    private static void descend(ReplicationGroup member, Consumer<ReplicationGroup> call, int[] calls) {
        try {
            descend(member, call, calls);
        } catch (StackOverflowError here) {
            // the frames above are gone, and one more is there for each that returns
        }
        if (calls[0]-- > 0) {
            call.accept(member);
        }
    }

    @Test
    void propose_onLeader_appliesInOrderOnAllMembers() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            assertThat(group.member(leader).term()).isPositive();
            List<String> expected = proposeMany(group.member(leader), "a", 500);
            awaitEntries(group, expected);
            assertThat(group.machine(leader).events)
                    .containsExactly("leads " + group.member(leader).term());
        }
    }

    @Test
    void propose_onFollower_reachesLeaderInOrder() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            for (String follower : group.others(leader)) {
                List<String> before = group.machine(leader).entries();
                List<String> expected = new ArrayList<>(before);
                expected.addAll(proposeMany(group.member(follower), follower, 500));
                awaitEntries(group, expected);
            }
            assertThatThrownBy(() -> Class.forName("com.caucho.hessian.io.Hessian2Output"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    /** The leader's heartbeats are a minute apart: members that heard of commits by them alone would not apply these entries in time. */
    @Test
    void propose_noHeartbeatFollows_allMembersApply() throws Exception {
        try (Group group = new Group(folder, 3)) {
            String first = group.addresses.get(0);
            group.addresses.subList(1, 3).forEach(slow -> group.electionTimeouts.put(slow, Duration.ofMinutes(10)));
            group.startAll(group.addresses);
            assertThat(group.awaitLeader()).isEqualTo(first);
            String leader = group.addresses.get(1);
            group.member(first).transfer(leader, Duration.ofSeconds(20));
            assertThat(group.awaitLeader()).isEqualTo(leader);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                for (String member : group.addresses) {
                    expected.addAll(proposeMany(group.member(member), member + " " + i, 1));
                    awaitEntries(group, expected);
                }
            }
        }
    }

    @Test
    void propose_bytesThatAreNoEntry_areNotProposed() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            for (ReplicationGroup member : group.running.values()) {
                CompletableFuture<@Nullable Throwable> outcome = new CompletableFuture<>();
                member.propose(new byte[] {'x'}, outcome::complete);
                assertThat(Group.get(outcome))
                        .isInstanceOf(NotProposedException.class)
                        .hasMessageContaining("leader=" + leader);
            }
            assertThat(group.machine(leader).entries()).isEmpty();
        }
    }

    @Test
    void propose_withoutMajority_isNotAcknowledged() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            List<String> others = group.others(leader);
            for (String other : others) {
                group.close(other);
            }
            CompletableFuture<?> outcome = Group.propose(group.member(leader), "lonely");
            assertThatThrownBy(() -> Group.get(outcome)).isInstanceOf(IOException.class);
            Group.await("the leader steps down", () -> !group.member(leader).leads());
            assertThatThrownBy(() -> Group.get(Group.propose(group.member(leader), "late")))
                    .isInstanceOf(NotProposedException.class)
                    .hasMessageContaining("leader=unknown");
            Group.await(
                    "the end of the leadership",
                    () -> group.machine(leader).events.contains("follows"));
        }
    }

    @Test
    void propose_leaderGoesAway_losesNothingThatWasAcknowledged() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            Set<String> acknowledged = ConcurrentHashMap.newKeySet();
            Set<String> offered = ConcurrentHashMap.newKeySet();
            String old = group.awaitLeader();
            List<Thread> threads = new ArrayList<>();
            CountDownLatch stop = new CountDownLatch(1);
            for (String survivor : group.others(old)) {
                ReplicationGroup member = group.member(survivor);
                threads.add(offering(member, survivor, stop, offered, acknowledged));
            }
            Group.await("entries", () -> acknowledged.size() > 100);
            group.close(old);
            int before = acknowledged.size();
            String next = group.awaitLeader();
            assertThat(next).isNotEqualTo(old);
            Group.await("entries of the next leader", () -> acknowledged.size() > before + 100);
            stop.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            group.start(old, group.addresses);
            Group.offer(group.member(next), "last");
            List<String> entries = group.machine(next).entries();
            assertThat(entries).containsAll(acknowledged).doesNotHaveDuplicates();
            Set<String> known = new HashSet<>(offered);
            known.add("last");
            assertThat(known).containsAll(entries);
            awaitEntries(group, entries);
        }
    }

    private static Thread offering(
            ReplicationGroup member, String name, CountDownLatch stop, Set<String> offered, Set<String> acknowledged) {
        Thread thread = new Thread(() -> {
            for (int i = 0; stop.getCount() > 0; i++) {
                String text = name + " " + i;
                offered.add(text);
                try {
                    Group.offer(member, text);
                    acknowledged.add(text);
                } catch (IOException unknown) {
                    // neither lost nor acknowledged
                }
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void barrier_onFollower_seesWhatWasAcknowledged() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            Group.offer(group.member(leader), "first");
            for (int i = 0; i < 50; i++) {
                for (String address : group.addresses) {
                    String text = address + i;
                    Group.offer(group.member(address), text);
                    Group.get(Group.barrier(group.member(address)));
                    assertThat(group.machine(address).entries()).contains(text);
                }
            }
        }
    }

    @Test
    void barrier_withoutLeader_fails() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String left = group.others(leader).get(0);
            for (String other : group.others(left)) {
                group.close(other);
            }
            Group.await("no leader", () -> group.member(left).leader() == null);
            assertThatThrownBy(() -> Group.get(Group.barrier(group.member(left))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("leader=null");
        }
    }

    @Test
    void apply_fails_endsTheMember() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            List<String> others = group.others(leader);
            for (String other : others) {
                group.machine(other).failsOnPoison = false;
            }
            assertThatThrownBy(() -> Group.get(Group.propose(group.member(leader), CountingMachine.POISON)))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NotProposedException.class);
            Group.await("the end", () -> group.machine(leader).isEnded());
            assertThat(group.machine(leader).cause()).hasMessage("poisoned");
            assertThat(group.machine(leader).events).last().isEqualTo("ended");
            assertThat(group.member(leader).leads()).isFalse();
            assertThatThrownBy(() -> Group.get(Group.propose(group.member(leader), "late")))
                    .isInstanceOf(NotProposedException.class);
            ReplicationGroup failed = Objects.requireNonNull(group.running.remove(leader));
            String next = group.awaitLeader();
            assertThat(next).isNotEqualTo(leader);
            Group.offer(group.member(next), "more");
            assertThat(group.machine(next).entries()).containsExactly(CountingMachine.POISON, "more");
            failed.close();
            assertThat(Collections.frequency(group.machine(leader).events, "ended"))
                    .isOne();
        }
    }

    @Test
    void propose_largeEntry_arrives() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String large = "x".repeat(4 << 20);
            String asked = group.others(leader).get(0);
            Group.await("the entry", () -> {
                if (!group.machine(asked).entries().contains(large)) {
                    Group.tryOffer(
                            group.member(asked), large); // on a slow machine it may cost the leader its leadership
                }
                return group.machine(asked).entries().contains(large);
            });
        }
    }

    @Test
    void propose_receiverThrows_entriesAreAppliedOnce() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                expected.add("a" + i);
                group.member(leader).propose(CountingMachine.entry("a" + i), failure -> {
                    throw new AssertionError("a receiver that fails");
                });
            }
            expected.addAll(proposeMany(group.member(leader), "b", 20));
            awaitEntries(group, expected);
        }
    }

    @Test
    void snapshot_fails_isGivenUpAndTakenLater() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            CountingMachine machine = group.machine(leader);
            for (String failure : List.of("save", "write", "error")) {
                Group.offer(group.member(leader), "before " + failure);
                machine.snapshotFailure = failure;
                Group.await("the failure in " + failure, () -> {
                    group.member(leader).snapshot();
                    return machine.events.contains("failed in " + failure);
                });
                Group.offer(group.member(leader), "after " + failure);
            }
            machine.snapshotFailure = "";
            Group.await("a snapshot", () -> {
                group.member(leader).snapshot();
                return machine.events.contains("written");
            });
            assertThat(machine.isEnded()).isFalse();
            assertThat(group.member(leader).leads()).isTrue();
        }
    }

    @Test
    void start_snapshotCannotBeLoaded_tellsWhy() throws Exception {
        try (Group group = Group.started(folder, 1)) {
            String only = group.awaitLeader();
            Group.offer(group.member(only), "a");
            Group.await("a snapshot", () -> {
                group.member(only).snapshot();
                return group.machine(only).events.contains("written");
            });
            group.closeAll();
            Path file;
            try (Stream<Path> files = Files.walk(group.folderOf(only))) {
                file = files.filter(each -> each.endsWith(CountingMachine.FILE))
                        .findFirst()
                        .orElseThrow();
            }
            Files.delete(file);
            assertThatThrownBy(() -> group.start(only, group.addresses))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(only)
                    .hasMessageContaining(CountingMachine.FILE);
            assertThat(Group.isFree(only)).isTrue();
        }
    }

    @Test
    void start_logIsDamaged_tellsWhy() throws Exception {
        try (Group group = Group.started(folder, 1)) {
            String only = group.awaitLeader();
            Group.offer(group.member(only), "a");
            group.closeAll();
            Path state = group.folderOf(only).resolve("log").resolve("STATE");
            Files.write(state, new byte[(int) Files.size(state)]);
            assertThatThrownBy(() -> group.start(only, group.addresses))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot start")
                    .hasMessageContaining("STATE");
            assertThat(Group.isFree(only)).isTrue();
        }
    }

    @Test
    void close_allAndStartAgain_keepsEntries() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            List<String> expected = new ArrayList<>(proposeMany(group.member(group.awaitLeader()), "a", 100));
            for (int round = 0; round < 2; round++) {
                group.closeAll();
                for (CountingMachine machine : group.machines.values()) {
                    assertThat(machine.isEnded()).isTrue();
                    assertThat(machine.cause()).isNull();
                    assertThat(machine.events).last().isEqualTo("ended");
                }
                for (String address : group.addresses) {
                    group.start(address, group.addresses);
                }
                expected.addAll(proposeMany(group.member(group.awaitLeader()), "round" + round, 100));
                awaitEntries(group, expected);
            }
        }
    }

    @Test
    void close_entriesOnTheirWay_tellsEachOnce() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            for (String closed : List.of(group.others(leader).get(0), leader)) {
                ReplicationGroup member = group.member(closed);
                List<CompletableFuture<?>> outcomes = new ArrayList<>();
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 5_000; i++) {
                        outcomes.add(Group.propose(member, closed + i));
                    }
                });
                thread.start();
                Group.await("entries", () -> group.machine(leader).entries().contains(closed + 10));
                Thread.currentThread().interrupt();
                group.close(closed);
                assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
                thread.join();
                for (CompletableFuture<?> outcome : outcomes) {
                    Group.await("an outcome", outcome::isDone);
                }
                group.start(closed, group.addresses);
            }
        }
    }

    @Test
    void close_leavesNoThreadOfTheMember() throws Exception {
        Group group = Group.started(folder, 3);
        List<String> addresses = List.copyOf(group.addresses);
        Group.offer(group.member(group.awaitLeader()), "a");
        group.closeAll();
        Group.await(
                "no thread: " + threadsOf(addresses), () -> threadsOf(addresses).isEmpty());
        for (String address : addresses) {
            group.start(address, addresses).close(); // its port is free
        }
    }

    private static List<String> threadsOf(List<String> addresses) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> addresses.stream().anyMatch(name::contains)
                        || name.contains("server-boss")
                        || name.contains("conn-event"))
                .toList();
    }

    @Test
    void start_addressInUse_namesIt() throws Exception {
        try (Group group = Group.started(folder.resolve("a"), 1)) {
            String address = group.addresses.get(0);
            Group second = new Group(folder.resolve("b"), 0);
            assertThatThrownBy(() -> second.start(address, List.of(address)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(address)
                    .hasMessageContaining("in use");
            Group.offer(group.member(group.awaitLeader()), "still here");
        }
    }

    @Test
    void start_listensElsewhere_bindsThatAddressAlone() throws Exception {
        String member = Group.freeAddress();
        String listen = Group.freeAddress();
        GroupOptions options = new GroupOptions(member, listen, List.of(member), folder, Duration.ofMillis(500), null);
        try (ReplicationGroup group = new JraftEngine(Group.STORAGE).start(options, new CountingMachine())) {
            Group.await("a leader", group::leads);
            assertThat(group.leader()).isEqualTo(member);
            Group.offer(group, "a");
            assertThat(Group.isFree(member)).isTrue();
            assertThat(Group.isFree(listen)).isFalse();
        }
        assertThat(Group.isFree(listen)).isTrue();
        GroupOptions wrong = new GroupOptions(member, "nowhere", List.of(member), folder, Duration.ofMillis(500), null);
        assertThatThrownBy(() -> new JraftEngine(Group.STORAGE).start(wrong, new CountingMachine()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got nowhere");
    }

    @Test
    void transfer_toMember_leadsThere() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            for (int i = 0; i < 3; i++) {
                String leader = group.awaitLeader();
                String target = group.others(leader).get(i % 2);
                String asked = group.addresses.get(i);
                Group.offer(group.member(asked), "before " + i);
                group.member(asked).transfer(target, Duration.ofSeconds(20));
                assertThat(group.awaitLeader()).isEqualTo(target);
                Group.offer(group.member(asked), "after " + i);
            }
            String leader = group.awaitLeader();
            group.member(leader).transfer(null, Duration.ofSeconds(20));
            assertThat(group.awaitLeader()).isNotEqualTo(leader);
            String leads = group.awaitLeader();
            assertThatThrownBy(() -> group.member(leads).transfer(null, Duration.ofSeconds(Long.MIN_VALUE)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the leadership did not move to another member within -");
            String stranger = Group.freeAddress();
            assertThatThrownBy(() -> group.member(leader).transfer(stranger, Duration.ofSeconds(5)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(stranger);
        }
    }

    @Test
    void transfer_toMemberThatIsAway_failsAndTheLeaderGoesOn() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String away = group.others(leader).get(0);
            Group.offer(group.member(leader), "before");
            group.close(away);
            assertThatThrownBy(() -> group.member(leader).transfer(away, Duration.ofSeconds(2)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(away)
                    .hasMessageContaining("within 2 s");
            String next = group.awaitLeader();
            Group.offer(group.member(next), "after");
            assertThat(group.machine(next).entries()).containsExactly("before", "after");
            if (next.equals(leader)) { // not if an election came in between on a busy machine
                assertThat(group.machine(leader).events.get(1)).isEqualTo("follows");
                assertThat(group.machine(leader).events.get(2)).startsWith("leads");
            }
        }
    }

    @Test
    void engine_isFoundByServiceLoader() {
        assertThat(ServiceLoader.load(ReplicationEngine.class).stream().map(ServiceLoader.Provider::type))
                .first() // the queue's own tests have another one
                .isEqualTo(JraftEngine.class);
    }

    static List<String> proposeMany(ReplicationGroup member, String name, int count) throws IOException {
        List<String> texts = new ArrayList<>();
        List<CompletableFuture<?>> outcomes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(name + " " + i);
            outcomes.add(Group.propose(member, texts.get(i)));
        }
        for (CompletableFuture<?> outcome : outcomes) {
            Group.get(outcome);
        }
        return texts;
    }

    static void awaitEntries(Group group, List<String> expected) {
        for (String address : group.running.keySet()) {
            long start = System.nanoTime();
            while (!group.machine(address).entries().equals(expected)
                    && System.nanoTime() - start < Group.PATIENCE.toNanos()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            assertThat(group.machine(address).entries()).as(address).isEqualTo(expected);
        }
    }
}

package dev.touchstone.queue.replicated.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A leader that does not know that it leads no more: nothing that it answers is wrong. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PausedLeaderTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int STOPPED_MILLIS = 10_000;
    private static final int BURST = 50;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private MemberProcesses group;
    private int calls;

    @BeforeEach
    void start() throws Exception {
        group = new MemberProcesses(folder, CallingMember.class, LEASE);
        group.startAll();
    }

    @AfterEach
    void end() throws Exception {
        group.close();
    }

    @Test
    void pausedLeader_goesOn_answersNothingStale() throws Exception {
        int leader = group.awaitLeader(-1);
        int other = (leader + 1) % MemberProcesses.MEMBERS;
        int third = (leader + 2) % MemberProcesses.MEMBERS;
        long oldTerm = state(leader).term();
        for (int i = 0; i < 10; i++) {
            assertThat(call(other, "offer e" + i)).isEqualTo("true");
        }
        assertThat(call(leader, "lease")).isEqualTo("e0");
        Map<String, String> pending = new HashMap<>(); // calls of the leader, by their ids
        for (int i = 0; i < BURST; i++) {
            pending.put(begin(leader, "offer f" + i), "f" + i);
        }
        group.signal(leader, "STOP");
        long stopped = System.nanoTime();
        String acknowledges =
                begin(leader, "ack e0"); // waits in a pipe, and is the first that the leader does when it goes on
        String polls = begin(leader, "poll");
        String leases = begin(leader, "lease");
        String peeks = begin(leader, "peek");
        String reads = begin(leader, "first");
        pending.put(begin(leader, "offer stale"), "stale");

        int next = group.awaitLeader(leader);
        long newTerm = state(next).term();
        assertThat(newTerm).isGreaterThan(oldTerm);
        MemberProcesses.pause((int) LEASE.toMillis() * 3 / 2); // its lease ends by its time
        assertThat(call(other, "lease")).isEqualTo("e0");
        assertThat(call(other, "ack e0")).isEqualTo("true");
        List<String> taken = new ArrayList<>(List.of("e0"));
        for (int i = 0; i < 5; i++) {
            taken.add(call(third, "poll"));
        }
        long left = STOPPED_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - stopped);
        MemberProcesses.pause((int) Math.max(0, left));
        group.signal(leader, "CONT");

        Map<String, String> answers = answers(leader, 6 + BURST);
        assertThat(answers.get(acknowledges)).isIn("false", "unknown", "refused");
        assertThat(taken)
                .doesNotContain(answers.get(polls), answers.get(leases), answers.get(peeks), answers.get(reads));
        MemberProcesses.State after = state(leader);
        assertThat(after.term()).isGreaterThanOrEqualTo(newTerm);
        System.out.println("paused leader: terms " + oldTerm + " and " + after.term() + ", ack="
                + answers.get(acknowledges) + " poll=" + answers.get(polls) + " lease=" + answers.get(leases) + " peek="
                + answers.get(peeks) + " first=" + answers.get(reads) + " offers=" + counts(pending, answers));
        taken.add(answers.get(polls));
        List<String> all = new ArrayList<>(taken);
        all.addAll(drained(third));
        check(pending, answers, all);
        for (int i = 1; i < 10; i++) {
            String element = "e" + i;
            boolean mayBeGone = "unknown".equals(answers.get(polls));
            assertThat(Collections.frequency(all, element)).as(element).isBetween(mayBeGone ? 0 : 1, 1);
        }
        assertThat(all.stream().filter("e0"::equals)).hasSize(1);
    }

    @Test
    void isolatedLeader_callersGoOn_acknowledgesNothing() throws Exception {
        int leader = group.awaitLeader(-1);
        int other = (leader + 1) % MemberProcesses.MEMBERS;
        assertThat(call(other, "offer before")).isEqualTo("true");
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            if (i != leader) {
                group.links().cutBoth(leader, i);
            }
        }
        Map<String, String> pending = new HashMap<>();
        for (int i = 0; i < BURST; i++) {
            pending.put(begin(leader, "offer f" + i), "f" + i);
        }
        String polls = begin(leader, "poll");
        int next = group.awaitLeader(leader);
        assertThat(call(next, "poll")).isEqualTo("before");
        Map<String, String> answers = answers(leader, BURST + 1); // within the time to wait for an answer
        assertThat(answers.values()).containsOnly("unknown", "refused");
        group.links().heal();
        assertThat(call(leader, "offer after")).isIn("true", "unknown");
        List<String> all = drained(leader);
        System.out.println("isolated leader: offers=" + counts(pending, answers) + " poll=" + answers.get(polls)
                + " found=" + all.size());
        check(pending, answers, all);
    }

    /** Checks that what was accepted is there once, what was refused is not there, and nothing twice. */
    private static void check(Map<String, String> offers, Map<String, String> answers, List<String> found) {
        offers.forEach((id, element) -> {
            int times = Collections.frequency(found, element);
            switch (answers.getOrDefault(id, "none")) {
                case "true" -> assertThat(times).as(element).isOne();
                case "refused" -> assertThat(times).as(element).isZero();
                default -> assertThat(times).as(element).isBetween(0, 1);
            }
        });
    }

    private static Map<String, Integer> counts(Map<String, String> offers, Map<String, String> answers) {
        Map<String, Integer> counts = new HashMap<>();
        offers.keySet().forEach(id -> counts.merge(answers.getOrDefault(id, "none"), 1, Integer::sum));
        return counts;
    }

    private MemberProcesses.State state(int member) throws Exception {
        return Objects.requireNonNull(group.state(member));
    }

    /** Begins a call; returns its id. */
    private String begin(int member, String call) throws Exception {
        String id = "c" + calls++;
        group.tell(member, "one " + id + " " + call);
        return id;
    }

    private String call(int member, String call) throws Exception {
        String id = begin(member, call);
        return group.await(member, id + " ").substring(id.length() + 1);
    }

    /** Waits for the answers of so many calls. */
    private Map<String, String> answers(int member, int count) throws Exception {
        Map<String, String> answers = new HashMap<>();
        while (answers.size() < count) {
            String[] words = group.await(member, "c").split(" ", -1);
            answers.put(words[0], words[1]);
        }
        return answers;
    }

    /** Takes all that is left, what was leased by others too. */
    private List<String> drained(int member) throws Exception {
        List<String> all = new ArrayList<>();
        long end = System.nanoTime() + 2 * LEASE.toNanos(); // then all leases have ended
        while (System.nanoTime() < end) {
            String element = call(member, "poll");
            if (element.equals("none")) {
                MemberProcesses.pause(100);
            } else {
                assertThat(element).isNotIn("refused", "unknown");
                all.add(element);
            }
        }
        return all;
    }
}

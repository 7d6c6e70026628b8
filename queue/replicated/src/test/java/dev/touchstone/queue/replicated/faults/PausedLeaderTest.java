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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A leader that does not know that it leads no more: nothing that it answers is wrong. */
@Tag("sweep")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PausedLeaderTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int STOPPED_MILLIS = 10_000;
    private static final int BURST = 50;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private MemberProcesses group;
    private int calls;
    private int unknownPolls;

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
        assertThat(leaseOnceItEnds(other)).isEqualTo("e0");
        assertThat(call(other, "ack e0")).isEqualTo("true");
        List<String> taken = new ArrayList<>(List.of("e0"));
        for (int i = 0; i < 5; i++) {
            taken.add(polled(third));
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
        List<String> all = new ArrayList<>(taken);
        all.add(noted(answers.getOrDefault(polls, "none")));
        all.addAll(drained(third));
        for (int i = 0; i < 10; i++) {
            pending.put("e" + i, "e" + i);
            answers.put("e" + i, "true");
        }
        check(pending, answers, all);
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
        assertThat(answers.values())
                .isSubsetOf("unknown", "refused"); // all are refused where the leader has stepped down before
        group.links().heal();
        assertThat(call(leader, "offer after"))
                .isIn("true", "unknown", "refused"); // on a slow machine there may be no leader yet
        String unused = noted(answers.getOrDefault(polls, "none"));
        List<String> all = drained(leader);
        System.out.println("isolated leader: offers=" + counts(pending, answers) + " poll=" + answers.get(polls)
                + " found=" + all.size());
        check(pending, answers, all);
    }

    /** Checks that what was accepted is there once, but for what polls with an unknown outcome have taken, and what was refused is not there. */
    private void check(Map<String, String> offers, Map<String, String> answers, List<String> found) {
        List<String> missing = new ArrayList<>();
        offers.forEach((id, element) -> {
            int times = Collections.frequency(found, element);
            String answer = answers.getOrDefault(id, "none");
            assertThat(times).as("%s %s", element, answer).isBetween(0, answer.equals("refused") ? 0 : 1);
            if (times == 0 && answer.equals("true")) {
                missing.add(element);
            }
        });
        assertThat(missing).hasSizeLessThanOrEqualTo(unknownPolls);
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

    /** Notes what a poll has answered; one that is unknown may have taken an element. */
    private String noted(String answer) {
        unknownPolls += answer.equals("unknown") ? 1 : 0;
        return answer;
    }

    private String polled(int member) throws Exception {
        String answer = noted(call(member, "poll"));
        while (answer.equals("refused") || answer.equals("unknown")) { // on a slow machine
            answer = noted(call(member, "poll"));
        }
        return answer;
    }

    /** Leases the first element, whose lease by another member ends meanwhile. */
    private String leaseOnceItEnds(int member) throws Exception {
        String answer;
        do {
            MemberProcesses.pause((int) LEASE.toMillis() * 3 / 2);
            answer = call(member, "lease");
        } while (answer.equals("refused") || answer.equals("unknown"));
        return answer;
    }

    /** Takes all that is left, what was leased by others too. */
    private List<String> drained(int member) throws Exception {
        List<String> all = new ArrayList<>();
        long end = System.nanoTime() + 2 * LEASE.toNanos(); // then all leases have ended
        String answer = "";
        while (System.nanoTime() < end || !answer.equals("none")) {
            answer = polled(member);
            if (answer.equals("none")) {
                MemberProcesses.pause(100);
            } else {
                all.add(answer);
            }
        }
        return all;
    }
}

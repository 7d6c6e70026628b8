package dev.touchstone.queue.replicated;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.Reasons;
import dev.touchstone.queue.replicated.link.Reply;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A search for the leader among members of which some may be down or silent: all are asked at the same time, those that do not lead name the member
 * that does, and nobody is waited for longer than two seconds. Where members of several groups answer, the leader is that of the group that was named, or else
 * of the one to which most of them belong; later searches find leaders of the same group. Thread-safe.
 */
final class LeaderSearch {
    static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Links links;
    private final List<String> given;
    private volatile String group;
    private volatile List<String> found = List.of();

    /**
     * The leader.
     *
     * @param address address of the leader
     * @param members addresses of the members that vote, as the leader knows them
     * @param group id of its group, empty if that has none
     */
    record Leader(String address, List<String> members, String group) {
        /** Returns the leader's part as a clause of a message. */
        String part() {
            return "it leads the members " + members + (group.isEmpty() ? "" : " of group " + group);
        }
    }

    private record Answer(String member, Message message, boolean isSent) {}

    /**
     * Creates a search that begins at the members {@code given}.
     *
     * @param group id of the group whose leader is searched, empty if it is not known
     */
    LeaderSearch(Links links, List<String> given, String group) {
        this.links = links;
        this.given = given;
        this.group = group;
    }

    /** Returns the id of the group whose leader is searched, empty if it is not known. */
    String group() {
        return group;
    }

    /**
     * Returns the leader as soon as it has answered: where the group is not known, the leader of most members that were given, or that of a group to which more of the
     * members that have answered belong than to any other.
     *
     * @throws NoLeaderException if none has in the time of {@code deadline}, or those of several groups have and the group cannot be told
     */
    Leader find(CallDeadline deadline) throws NoLeaderException, InterruptedIOException {
        Map<String, String> reasons = new LinkedHashMap<>(); // of each member, the newest that it has given
        while (true) {
            Round round = new Round(deadline, reasons);
            Leader leader = round.run();
            if (leader != null) {
                found = leader.members();
                group = leader.group();
                return leader;
            }
            deadline.because("no leader has answered: "
                    + reasons.entrySet().stream()
                            .map(each -> each.getKey() + " (" + each.getValue() + ")")
                            .collect(Collectors.joining(", ")));
            deadline.pause();
        }
    }

    /** Round of questions, one to each member. Belongs to the thread that searches, but for the queue of answers. */
    private final class Round {
        private final CallDeadline deadline;
        private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        private final Map<String, String> reasons;
        private final Set<String> unanswered = new LinkedHashSet<>();
        private final Set<String> asked = new HashSet<>();
        private final Map<String, Leader> leaders = new LinkedHashMap<>(); // by their groups
        private final Map<String, Integer> sizes = new LinkedHashMap<>(); // members that have answered, by their groups
        private long askedNanos;

        Round(CallDeadline deadline, Map<String, String> reasons) {
            this.deadline = deadline;
            this.reasons = reasons;
        }

        @Nullable
        Leader run() throws NoLeaderException, InterruptedIOException {
            Set<String> candidates = new LinkedHashSet<>(given);
            candidates.addAll(found);
            candidates.forEach(candidate -> ask(MemberAddress.parse(candidate)));
            while (!unanswered.isEmpty()) {
                Answer answer = next();
                if (answer == null) {
                    unanswered.forEach(this::noteSilence);
                    break;
                }
                unanswered.remove(answer.member());
                Message message = answer.message();
                boolean leads = message.kind() == Kind.DONE;
                if (leads || !message.group().isEmpty()) {
                    sizes.merge(message.group(), 1, Integer::sum);
                }
                if (leads) {
                    Leader leader =
                            new Leader(answer.member(), List.of(message.text().split(" ")), message.group());
                    if (isSought(leader)) {
                        return leader;
                    }
                    leaders.put(leader.group(), leader);
                    reasons.put(leader.address(), leader.part());
                } else {
                    takeRefusal(answer);
                }
            }
            return group.isEmpty() ? ofMost() : null;
        }

        private boolean isSought(Leader leader) {
            return group.isEmpty()
                    ? 2 * given.stream().filter(leader.members()::contains).count() > given.size()
                    : group.equals(leader.group());
        }

        private void takeRefusal(Answer answer) {
            reasons.put(answer.member(), answer.message().text());
            PeerId named = answer.isSent() ? answer.message().leader() : null;
            if (named != null && !asked.contains(named.toString())) {
                ask(named);
            }
        }

        /** Returns the leader of the group to which most members that have answered belong; null if that has none. */
        private @Nullable Leader ofMost() throws NoLeaderException {
            int most = sizes.values().stream().mapToInt(size -> size).max().orElse(0);
            List<String> largest = sizes.entrySet().stream()
                    .filter(each -> each.getValue() == most)
                    .map(Map.Entry::getKey)
                    .toList();
            if (largest.size() > 1 && leaders.size() > 1) {
                throw new NoLeaderException(deadline.message("the members are of several groups: "
                        + leaders.values().stream()
                                .map(each -> each.address() + " (" + each.part() + ")")
                                .collect(Collectors.joining(", "))
                        + ": expected a file with most members of one group, or with the folder of a member"));
            }
            return largest.size() == 1 ? leaders.get(largest.get(0)) : null;
        }

        private void noteSilence(String member) {
            if (deadline.leftNanos() > 0) {
                reasons.put(member, "no answer within " + Reasons.shown(Duration.ofNanos(ANSWER_NANOS)));
            } else { // it was not given the time
                reasons.putIfAbsent(member, "no answer yet");
            }
        }

        private @Nullable Answer next() throws InterruptedIOException {
            long left = Math.min(ANSWER_NANOS - (System.nanoTime() - askedNanos), deadline.leftNanos());
            try {
                return answers.poll(Math.max(0, left), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw deadline.interrupted();
            }
        }

        private void ask(PeerId member) {
            String address = member.toString();
            asked.add(address);
            unanswered.add(address);
            askedNanos = System.nanoTime();
            int millis = (int) TimeUnit.NANOSECONDS.toMillis(ANSWER_NANOS);
            links.send(member, Message.of(Kind.MEMBERS, ""), millis, new Reply() {
                @Override
                public void answered(Message answer) {
                    answers.add(new Answer(address, answer, true));
                }

                @Override
                public void notSent(String reason) {
                    answers.add(new Answer(address, Message.of(Kind.NOT_LEADING, reason), false));
                }

                @Override
                public void lost(String reason) {
                    answers.add(new Answer(address, Message.of(Kind.UNKNOWN, reason), false));
                }
            });
        }
    }
}

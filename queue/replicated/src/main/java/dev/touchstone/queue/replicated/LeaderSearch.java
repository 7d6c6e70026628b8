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
 * that does, and nobody is waited for longer than two seconds. Thread-safe.
 */
final class LeaderSearch {
    static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Links links;
    private final List<String> given;
    private volatile List<String> found = List.of();

    /**
     * The leader.
     *
     * @param address address of the leader
     * @param members addresses of the members that vote, as the leader knows them
     */
    record Leader(String address, List<String> members) {}

    private record Answer(String member, Message message, boolean isSent) {}

    /** Creates a search that begins at the members {@code given}. */
    LeaderSearch(Links links, List<String> given) {
        this.links = links;
        this.given = given;
    }

    /**
     * Returns the leader as soon as it has answered.
     *
     * @throws NoLeaderException if none has in the time of {@code deadline}
     */
    Leader find(CallDeadline deadline) throws NoLeaderException, InterruptedIOException {
        Map<String, String> reasons = new LinkedHashMap<>(); // of each member, the newest that it has given
        while (true) {
            Round round = new Round(deadline, reasons);
            Leader leader = round.run();
            if (leader != null) {
                found = leader.members();
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
        private long askedNanos;

        Round(CallDeadline deadline, Map<String, String> reasons) {
            this.deadline = deadline;
            this.reasons = reasons;
        }

        @Nullable
        Leader run() throws InterruptedIOException {
            Set<String> candidates = new LinkedHashSet<>(given);
            candidates.addAll(found);
            candidates.forEach(candidate -> ask(MemberAddress.parse(candidate)));
            while (!unanswered.isEmpty()) {
                Answer answer = next();
                if (answer == null) {
                    unanswered.forEach(this::noteSilence);
                    return null;
                }
                unanswered.remove(answer.member());
                Message message = answer.message();
                if (message.kind() == Kind.DONE) {
                    return new Leader(answer.member(), List.of(message.text().split(" ")));
                }
                reasons.put(answer.member(), message.text());
                PeerId named = answer.isSent() ? message.leader() : null;
                if (named != null && !asked.contains(named.toString())) {
                    ask(named);
                }
            }
            return null;
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

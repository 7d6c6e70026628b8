package dev.touchstone.queue.replicated;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.LeaderSearch.Leader;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.MemberReport;
import dev.touchstone.queue.replicated.link.MemberStatus;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.Reasons;
import dev.touchstone.queue.replicated.link.TlsContexts;
import dev.touchstone.queue.replicated.member.MemberFolder;
import dev.touchstone.queue.replication.GroupOptions;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client that looks at the members of a replicated queue and changes them, without being one. Thread-safe. */
public final class GroupClient implements Closeable {
    /*
     * Who calls:   any thread; each call waits.
     * Invariants:  a member that is silent costs a call two seconds at most. A change is asked of one leader at a time; where its outcome is
     *              not known, the members that the next leader tells say whether it was made, before it is asked for again. All of them tell the group, which others refuse.
     */
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Duration timeout;
    private final Consumer<String> waits;
    private final ExecutorService executor = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "queue-replicated-client");
        thread.setDaemon(true);
        return thread;
    });
    private final Links links;
    private final LeaderSearch search;

    /**
     * Creates a client, which connects when it is asked.
     *
     * @param members addresses of members, at least one, never null; they name the leader, which knows all members
     * @param tls files for TLS, if the members use it; else null
     * @param timeout longest time that a call takes
     * @param waits told, every two seconds, what a call waits for; not null
     * @throws IllegalArgumentException if there is no member, or an address is none
     * @throws IOException if the files for TLS cannot be used
     */
    public GroupClient(List<String> members, GroupOptions.@Nullable Tls tls, Duration timeout, Consumer<String> waits)
            throws IOException {
        this(members, null, tls, timeout, waits);
    }

    /**
     * Creates a client of the group of a member, which connects when it is asked.
     *
     * @param members addresses of members, at least one, never null; they name the leader, which knows all members
     * @param folder folder of a member of the group that is asked for; null if it is not known, or on another machine
     * @param tls files for TLS, if the members use it; else null
     * @param timeout longest time that a call takes
     * @param waits told, every two seconds, what a call waits for; not null
     * @throws IllegalArgumentException if there is no member, or an address is none
     * @throws IOException if the files for TLS cannot be used
     */
    public GroupClient(
            List<String> members,
            @Nullable Path folder,
            GroupOptions.@Nullable Tls tls,
            Duration timeout,
            Consumer<String> waits)
            throws IOException {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("no member given: expected host:port");
        }
        members.forEach(member -> {
            PeerId unused = MemberAddress.parse(member);
        });
        this.timeout = timeout;
        this.waits = waits;
        this.links = new Links(executor, tls == null ? null : TlsContexts.of(tls));
        this.search = new LeaderSearch(links, List.copyOf(members), folder == null ? "" : MemberFolder.groupOf(folder));
    }

    /**
     * Returns the state of a member.
     *
     * @param member address of the member
     * @throws IOException if it does not answer within two seconds, or in the client's time if that is shorter
     */
    public MemberStatus status(String member) throws IOException {
        Message answer =
                ask(member, Message.of(Kind.STATUS, ""), Math.min(timeout.toNanos(), LeaderSearch.ANSWER_NANOS));
        if (answer.kind() != Kind.DONE) {
            throw new IOException("no status of " + member + ": " + answer.text());
        }
        return MemberStatus.read(member, answer.text());
    }

    /**
     * Returns the addresses of the members that vote, as the leader knows them.
     *
     * @throws NoLeaderException if no leader answers in time
     * @throws IOException if the thread is interrupted
     */
    public List<String> members() throws IOException {
        return search.find(new CallDeadline("list the members", timeout, waits)).members();
    }

    /**
     * Adds a member that was started without members; returns when it votes.
     *
     * @param member address of the member
     * @throws LeaderRefusedException if the leader refuses
     * @throws NoLeaderException if no leader has done it in time
     * @throws IOException if the thread is interrupted
     */
    public void add(String member) throws IOException {
        change(Kind.ADD, MemberAddress.parse(member).toString(), "add " + member);
    }

    /**
     * Removes a member, also one that cannot be reached.
     *
     * @param member address of the member
     * @throws LeaderRefusedException if the leader refuses
     * @throws NoLeaderException if no leader has done it in time
     * @throws IOException if the thread is interrupted
     */
    public void remove(String member) throws IOException {
        change(Kind.REMOVE, MemberAddress.parse(member).toString(), "remove " + member);
    }

    /**
     * Asks the leader to hand the leadership to a member; {@link #status} tells when that leads.
     *
     * @param member address of the member; null for the one with the most entries
     * @throws LeaderRefusedException if the leader refuses
     * @throws NoLeaderException if no leader has done it in time
     * @throws IOException if the thread is interrupted
     */
    public void transfer(@Nullable String member) throws IOException {
        change(
                Kind.TRANSFER,
                member == null ? "" : MemberAddress.parse(member).toString(),
                "transfer the leadership to " + (member == null ? "any member" : member));
    }

    private void change(Kind kind, String changed, String what) throws IOException {
        CallDeadline deadline = new CallDeadline(what, timeout, waits);
        String first = "";
        while (true) {
            Leader leader = search.find(deadline);
            first = first.isEmpty() ? leader.address() : first;
            if (deadline.mayBeDone() && isDone(kind, changed, leader, first)) {
                return;
            }
            Message answer = await(leader, Message.of(kind, changed), deadline);
            switch (answer.kind()) {
                case DONE -> {
                    return;
                }
                case NOT_LEADING -> {}
                case UNKNOWN -> deadline.noteUnknown();
                default -> {
                    if (deadline.mayBeDone() && isDone(kind, changed, search.find(deadline), first)) {
                        return; // refused because the earlier request is done
                    }
                    throw new LeaderRefusedException(
                            deadline.message("the leader " + leader.address() + " refuses: " + answer.text()));
                }
            }
            deadline.because(leader.address() + ": " + answer.text());
            deadline.pause();
        }
    }

    private static boolean isDone(Kind kind, String changed, Leader leader, String first) {
        return switch (kind) {
            case ADD -> leader.members().contains(changed);
            case REMOVE -> !leader.members().contains(changed);
            default ->
                changed.isEmpty()
                        ? !leader.address().equals(first)
                        : leader.address().equals(changed);
        };
    }

    /** Returns the leader's answer; unknown also if it turns out meanwhile that it is silent or does not lead any more. */
    private Message await(Leader leader, Message request, CallDeadline deadline) throws IOException {
        long left = deadline.leftNanos();
        CompletableFuture<Message> answer = send(leader.address(), request.inGroup(leader.group()), left);
        while (left > 0) {
            try {
                return get(answer, Math.min(left, CallDeadline.TELL_NANOS));
            } catch (TimeoutException e) {
                deadline.because("the leader " + leader.address() + " has not answered yet");
                Message question = Message.of(Kind.MEMBERS, "").inGroup(leader.group());
                Message probe = ask(leader.address(), question, LeaderSearch.ANSWER_NANOS);
                if (probe.kind() != Kind.DONE && !answer.isDone()) {
                    return Message.of(Kind.UNKNOWN, probe.text());
                }
                left = deadline.leftNanos();
            }
        }
        return Message.of(Kind.UNKNOWN, "no answer in time");
    }

    /**
     * Has each member copy its state at one entry, and read its log; again while a member is busy with a snapshot or another verification.
     *
     * @param asked addresses of the members
     * @return a report of each member, in their order; one that does not answer in time has its reason as failure
     * @throws LeaderRefusedException if the leader refuses
     * @throws NoLeaderException if no leader answers in time
     * @throws IOException if the thread is interrupted
     */
    public List<MemberReport> verify(List<String> asked) throws IOException {
        CallDeadline deadline = new CallDeadline("verify", timeout, waits);
        while (true) {
            String number = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
            Map<String, MemberReport> reports = new LinkedHashMap<>();
            askAll(asked, Message.of(Kind.EXPECT, number), LeaderSearch.ANSWER_NANOS)
                    .forEach((member, answer) -> {
                        if (answer.kind() != Kind.DONE) {
                            reports.put(member, MemberReport.failed(member, answer.text()));
                        }
                    });
            Leader leader = search.find(deadline);
            Message begun = await(leader, Message.of(Kind.VERIFY, number), deadline);
            if (begun.kind() == Kind.NOT_DONE) {
                throw new LeaderRefusedException(
                        deadline.message("the leader " + leader.address() + " refuses: " + begun.text()));
            }
            if (begun.kind() != Kind.DONE) {
                deadline.because(leader.address() + ": " + begun.text());
            } else if (collect(asked, number, reports, deadline)) {
                return asked.stream()
                        .map(member -> Objects.requireNonNull(reports.get(member)))
                        .toList();
            }
            deadline.pause();
        }
    }

    /** Collects the reports of a verification; returns false if it has to be made again because a member was busy. */
    private boolean collect(List<String> asked, String number, Map<String, MemberReport> reports, CallDeadline deadline)
            throws IOException {
        while (true) {
            List<String> missing = asked.stream()
                    .filter(member -> !reports.containsKey(member))
                    .toList();
            boolean isOver = deadline.leftNanos() <= 0;
            for (Map.Entry<String, Message> each : askAll(missing, Message.of(Kind.REPORT, number), REPORT_NANOS)
                    .entrySet()) {
                String member = each.getKey();
                Message answer = each.getValue();
                if (answer.kind() == Kind.DONE) {
                    reports.put(member, MemberReport.read(member, answer.text()));
                } else if (answer.kind() == Kind.BUSY && !isOver) {
                    deadline.because(member + ": " + answer.text());
                    return false;
                } else if (answer.kind() != Kind.NOT_YET || isOver) {
                    reports.put(member, MemberReport.failed(member, answer.text()));
                }
            }
            if (reports.size() == asked.size()) {
                return true;
            }
            deadline.because(reports.size() + " of " + asked.size() + " members have answered");
            if (deadline.leftNanos() > 0) {
                deadline.pause();
            }
        }
    }

    /** Asks members at the same time; one that is silent or down has its reason as answer. */
    private Map<String, Message> askAll(List<String> asked, Message message, long nanos) throws IOException {
        Map<String, CompletableFuture<Message>> answers = new LinkedHashMap<>();
        for (String member : asked) {
            answers.put(member, send(member, message.inGroup(search.group()), nanos));
        }
        long start = System.nanoTime();
        Map<String, Message> all = new LinkedHashMap<>();
        for (Map.Entry<String, CompletableFuture<Message>> each : answers.entrySet()) {
            all.put(each.getKey(), getOrUnknown(each.getValue(), nanos - (System.nanoTime() - start), nanos));
        }
        return all;
    }

    private Message ask(String member, Message message, long nanos) throws IOException {
        return getOrUnknown(send(member, message, nanos), nanos, nanos);
    }

    private CompletableFuture<Message> send(String member, Message message, long nanos) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos)));
        links.send(MemberAddress.parse(member), message, millis, new FutureReply(answer));
        return answer;
    }

    private static Message getOrUnknown(CompletableFuture<Message> answer, long nanos, long limit) throws IOException {
        try {
            return get(answer, nanos);
        } catch (TimeoutException e) {
            return Message.of(Kind.UNKNOWN, "no answer within " + Reasons.shown(Duration.ofNanos(limit)));
        }
    }

    private static Message get(CompletableFuture<Message> answer, long nanos) throws IOException, TimeoutException {
        try {
            return answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    @Override
    public void close() {
        links.close();
        executor.shutdownNow();
    }
}

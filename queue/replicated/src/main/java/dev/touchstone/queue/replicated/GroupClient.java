package dev.touchstone.queue.replicated;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.MemberReport;
import dev.touchstone.queue.replicated.link.MemberStatus;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.TlsContexts;
import dev.touchstone.queue.replication.GroupOptions;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
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
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A client that looks at the members of a replicated queue and changes them, without being one. Thread-safe. */
public final class GroupClient implements Closeable {
    private static final long RETRY_MILLIS = 100;
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final List<String> members;
    private final Duration timeout;
    private final ExecutorService executor = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "queue-replicated-client");
        thread.setDaemon(true);
        return thread;
    });
    private final Links links;

    /**
     * Creates a client, which connects when it is asked.
     *
     * @param members addresses of members, at least one, never null
     * @param tls files for TLS, if the members use it; else null
     * @param timeout longest time that a call takes
     * @throws IllegalArgumentException if there is no member, or an address is none
     * @throws IOException if the files for TLS cannot be used
     */
    public GroupClient(List<String> members, GroupOptions.@Nullable Tls tls, Duration timeout) throws IOException {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("no member given: expected host:port");
        }
        members.forEach(member -> {
            PeerId unused = MemberAddress.parse(member);
        });
        this.members = List.copyOf(members);
        this.timeout = timeout;
        this.links = new Links(executor, tls == null ? null : TlsContexts.of(tls));
    }

    /**
     * Returns the state of a member.
     *
     * @param member address of the member
     * @throws IOException if it does not answer in time
     */
    public MemberStatus status(String member) throws IOException {
        Message answer = ask(MemberAddress.parse(member), Message.of(Kind.STATUS, ""), timeout.toNanos());
        if (answer.kind() != Kind.DONE) {
            throw new IOException("no status of " + member + ": " + answer.text());
        }
        return MemberStatus.read(member, answer.text());
    }

    /**
     * Returns the addresses of the members that vote, as the leader knows them.
     *
     * @throws IOException if no leader answers in time
     */
    public List<String> members() throws IOException {
        return List.of(askLeader(Kind.MEMBERS, "").split(" "));
    }

    /**
     * Adds a member that was started without members; returns when it votes.
     *
     * @param member address of the member
     * @throws IOException if it was not added in time
     */
    public void add(String member) throws IOException {
        PeerId parsed = MemberAddress.parse(member);
        String unused = askLeader(Kind.ADD, parsed.toString());
    }

    /**
     * Removes a member, also one that cannot be reached.
     *
     * @param member address of the member
     * @throws IOException if it was not removed in time
     */
    public void remove(String member) throws IOException {
        PeerId parsed = MemberAddress.parse(member);
        String unused = askLeader(Kind.REMOVE, parsed.toString());
    }

    /**
     * Asks the leader to hand the leadership to a member; {@link #status} tells when that leads.
     *
     * @param member address of the member; null for the one with the most entries
     * @throws IOException if no leader answers in time, or it refuses
     */
    public void transfer(@Nullable String member) throws IOException {
        String unused = askLeader(
                Kind.TRANSFER, member == null ? "" : MemberAddress.parse(member).toString());
    }

    /**
     * Has each member copy its state at one entry, and read its log.
     *
     * @param asked addresses of the members
     * @param progress told how many members have answered, whenever another one has
     * @return a report of each member, in their order; one that does not answer in time has its reason as failure
     * @throws IOException if no leader answers in time
     */
    public List<MemberReport> verify(List<String> asked, IntConsumer progress) throws IOException {
        String number = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<String, MemberReport> reports = new LinkedHashMap<>();
        for (String member : asked) {
            Message answer = askIfUp(member, Message.of(Kind.EXPECT, number));
            if (answer.kind() != Kind.DONE) {
                reports.put(member, failed(member, answer.text()));
            }
        }
        String unused = askLeader(Kind.VERIFY, number);
        while (reports.size() < asked.size()) {
            progress.accept(reports.size());
            pause();
            for (String member : asked) {
                if (!reports.containsKey(member)) {
                    Message answer = askIfUp(member, Message.of(Kind.REPORT, number));
                    if (answer.kind() == Kind.DONE) {
                        reports.put(member, MemberReport.read(member, answer.text()));
                    } else if (answer.kind() != Kind.NOT_YET || System.nanoTime() - deadline > 0) {
                        reports.put(member, failed(member, answer.text()));
                    }
                }
            }
        }
        return asked.stream()
                .map(member -> Objects.requireNonNull(reports.get(member)))
                .toList();
    }

    private static MemberReport failed(String member, String reason) {
        return new MemberReport(member, 0, "", 0, 0, reason);
    }

    private Message askIfUp(String member, Message message) {
        try {
            return ask(MemberAddress.parse(member), message, ANSWER_NANOS);
        } catch (IOException e) {
            return Message.of(Kind.UNKNOWN, String.valueOf(e.getMessage()));
        }
    }

    /** Asks all members in turn until the leader among them has answered. */
    private String askLeader(Kind kind, String text) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        String reason = "";
        for (int next = 0; ; next++) {
            String member = members.get(next % members.size());
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IOException(
                        "no leader has answered within " + timeout + ": asked " + members + ": " + reason);
            }
            Message answer = ask(MemberAddress.parse(member), Message.of(kind, text), left);
            switch (answer.kind()) {
                case DONE -> {
                    return answer.text();
                }
                case NOT_LEADING -> reason = member + ": " + answer.text();
                case UNKNOWN -> {
                    reason = member + ": " + answer.text();
                    if (kind != Kind.MEMBERS) {
                        throw new IOException("it is not known whether it is done: " + reason);
                    }
                }
                default -> throw new IOException(member + " refuses: " + answer.text());
            }
            if (next % members.size() == members.size() - 1) {
                pause();
            }
        }
    }

    private Message ask(PeerId member, Message message, long nanos) throws IOException {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos)));
        links.send(member, message, millis, new FutureReply(answer));
        try {
            return answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return Message.of(Kind.UNKNOWN, member + " did not answer in time");
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS); // an election may be under way
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

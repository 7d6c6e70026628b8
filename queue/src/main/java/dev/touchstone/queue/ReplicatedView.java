package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;

import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.replica.ReplicatedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The group of a replicated queue: argument checks and exceptions; everything else is the log's. */
final class ReplicatedView<T> implements Replication<T> {
    private static final Pattern PRODUCER = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private final ReplicatedLog log;
    private final Function<T, byte[]> encoder;
    private final long waitNanos;

    /** Creates the view; elements are encoded and checked by {@code encoder}. */
    ReplicatedView(ReplicatedLog log, Function<T, byte[]> encoder, long waitNanos) {
        this.log = log;
        this.encoder = encoder;
        this.waitNanos = waitNanos;
    }

    @Override
    public boolean isLeader() {
        return log.leads();
    }

    @Override
    public @Nullable String leader() {
        return log.group().leader();
    }

    @Override
    public long term() {
        return log.group().term();
    }

    @Override
    public List<String> members() {
        try {
            return log.group().members();
        } catch (IOException e) {
            throw refused(e);
        }
    }

    @Override
    public void transferLeadership(@Nullable String member, Duration timeout) {
        try {
            log.group().transfer(member, timeout);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    @Override
    public void addMember(String member) {
        try {
            log.group().add(requireNonNull(member, "member"));
        } catch (IOException e) {
            throw refused(e);
        }
    }

    @Override
    public void removeMember(String member) {
        try {
            log.group().remove(requireNonNull(member, "member"));
        } catch (IOException e) {
            throw refused(e);
        }
    }

    private static QueueException refused(IOException cause) {
        return Failures.of(new LogRefusedException(cause));
    }

    @Override
    public void awaitCommitted() {
        try {
            log.barrier();
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public boolean offer(String producer, long number, T element) {
        check(producer);
        if (number < 1) {
            throw new IllegalArgumentException("number of an element is less than 1: number=" + number);
        }
        byte[] payload = encoder.apply(element);
        try {
            return log.produce(waitNanos, producer, number, payload);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public long lastNumber(String producer) {
        check(producer);
        try {
            return log.lastOf(producer);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    private static void check(String producer) {
        if (!PRODUCER.matcher(requireNonNull(producer, "producer")).matches()) {
            throw new IllegalArgumentException("not a producer's name: name=" + producer + " expected=" + PRODUCER);
        }
    }
}

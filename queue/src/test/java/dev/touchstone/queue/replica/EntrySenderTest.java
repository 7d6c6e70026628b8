package dev.touchstone.queue.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller whose memory or stack is used up gets an error; the calls of others go on. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EntrySenderTest {
    private static final CallSettings SETTINGS = new CallSettings(
            new LogOptions.Limits(1 << 20, 1 << 30, 0, LogOptions.WhenFull.REFUSE),
            new LogOptions.Leases(9, Duration.ofMillis(10)),
            false);
    private static final long ANSWER_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int STACK_BYTES = 256 << 10;
    private static final int TRIES = 3_000;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final EntrySender sender = new EntrySender(SETTINGS, timer, ANSWER_NANOS);
    private final Proposals proposals = new Proposals();

    @AfterEach
    void close() {
        sender.close();
        timer.shutdownNow();
    }

    @Test
    void submit_proposalThrows_theEntryIsProposedAgain() throws Exception {
        sender.start(proposals);
        for (Error error : List.of(new OutOfMemoryError("on purpose"), new StackOverflowError("on purpose"))) {
            proposals.failure = error;
            Command command = Command.offer(new byte[1]);
            submit(command); // it will be done, so its caller gets no error
            assertThat(proposals.failure).as("was thrown").isNull();
            applyUntilDone(List.of(command));
        }
    }

    @Test
    void submit_atTheEndOfTheStack_othersAreSentAllTheSame() throws Exception {
        sender.start(proposals);
        Diver diver = new Diver();
        Thread thread = new Thread(null, diver::dive, "diver", STACK_BYTES);
        thread.start();
        thread.join();
        assertThat(diver.failed).as("tries that failed").isPositive();
        assertThat(diver.submitted).as("tries that did not").isNotEmpty();
        Command after = Command.offer(new byte[1]);
        submit(after);
        diver.submitted.add(after);
        applyUntilDone(diver.submitted);
        assertThat(diver.refused).as("calls that threw").allMatch(command -> command == null || !command.isDone());
    }

    private void submit(Command command) throws IOException {
        sender.submit(command, System.nanoTime() + ANSWER_NANOS);
    }

    /** Applies what was proposed, as a member does, until these commands are done. */
    private void applyUntilDone(List<Command> commands) {
        while (!commands.stream().allMatch(Command::isDone)) {
            sender.check();
            proposals.apply(sender);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // the timer runs on a thread of its own
        }
    }

    /** Submits a command in each of the last frames of its thread's stack. */
    private final class Diver {
        final List<Command> submitted = new ArrayList<>(TRIES + 1);
        final List<Command> refused = new ArrayList<>(TRIES);
        int failed;
        private int left = TRIES;

        @SuppressWarnings("InfiniteRecursion") // the stack ends it
        void dive() {
            try {
                dive();
            } catch (StackOverflowError e) {
                // the last frame
            }
            if (left == 0) {
                return;
            }
            left--;
            Command command = null;
            try {
                command = Command.offer(new byte[1]);
                submit(command);
                submitted.add(command);
            } catch (StackOverflowError e) {
                failed++;
                refused.add(command);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Keeps what is proposed, in arrays, so that a proposal is there or is not. */
    private static final class Proposals implements ReplicationGroup {
        private final byte[][] entries = new byte[8 * TRIES][];
        private final List<Consumer<@Nullable Throwable>> answers = new ArrayList<>(8 * TRIES);
        private int count;
        private int read;
        private long applied;
        volatile @Nullable Error failure;

        @Override
        public synchronized void propose(byte[] entry, Consumer<@Nullable Throwable> done) {
            Error thrown = failure;
            if (thrown != null) {
                failure = null;
                throw thrown;
            }
            answers.add(done);
            entries[count] = entry;
            count++;
        }

        /** Answers all proposals, and applies those entries that follow the last applied one. */
        void apply(EntrySender sender) {
            List<Consumer<@Nullable Throwable>> due;
            List<byte[]> added = new ArrayList<>();
            synchronized (this) {
                due = List.copyOf(answers);
                answers.clear();
                while (read < count) {
                    added.add(Objects.requireNonNull(entries[read++]));
                }
            }
            due.forEach(answer -> answer.accept(null));
            for (byte[] each : added) {
                Entry.Header header = Entry.Header.read(ByteBuffer.wrap(each));
                if (header.number() == applied + 1) {
                    applied++;
                    Entry entry = sender.applied(header.session(), header.number());
                    if (entry != null) {
                        sender.resolved(entry);
                    }
                } else if (header.number() > applied) {
                    sender.passed(header.session(), true);
                }
            }
        }

        @Override
        public void barrier(Consumer<@Nullable Throwable> done) {
            done.accept(null);
        }

        @Override
        public void snapshot() {
            // nothing is kept
        }

        @Override
        public boolean leads() {
            return true;
        }

        @Override
        public String leader() {
            return "this";
        }

        @Override
        public long term() {
            return 1;
        }

        @Override
        public String hindrance() {
            return "none";
        }

        @Override
        public List<String> members() {
            return List.of("this");
        }

        @Override
        public void transfer(@Nullable String member, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void add(String member) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(String member) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}

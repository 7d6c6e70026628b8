package dev.touchstone.queue.replicated.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Replication;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code member}: runs a member until the process is told to end. */
@Command(
        name = "member",
        description = {
            "Runs a member until the process is told to end, as by SIGTERM.",
            "",
            "Programs that offer and consume are members themselves (DiskQueue.replicated()); a member of its own makes up a majority."
        })
final class MemberCommand implements Callable<Integer> {
    @Mixin
    MemberFile file = new MemberFile();

    private final Console console;

    MemberCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean isOpening = new AtomicBoolean(true);
        Thread caller = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            told.countDown();
            if (isOpening.getAndSet(false)) {
                caller.interrupt(); // it may wait for the other members
            }
            try {
                boolean unused = ended.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        try (DiskQueue<byte[]> queue = file.read().open()) {
            isOpening.set(false);
            console.out().println("member " + file.member() + " is up");
            tellLeaders(queue, told);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (InterruptedIOException e) {
            if (told.getCount() != 0) {
                throw e;
            }
        } finally {
            ended.countDown();
        }
        return ExitCode.OK;
    }

    /** Returns when the process was told to end; throws what has ended the member before. */
    private void tellLeaders(DiskQueue<byte[]> queue, CountDownLatch told) throws InterruptedException {
        Replication<byte[]> group = queue.replication();
        String before = "";
        while (!told.await(1, TimeUnit.SECONDS)) {
            queue.flush(); // has nothing to do, and fails once the member has
            String leader = Objects.requireNonNullElse(group.leader(), "none");
            if (!leader.equals(before)) {
                console.out().println("leader " + leader + " term " + group.term());
                before = leader;
            }
        }
    }
}

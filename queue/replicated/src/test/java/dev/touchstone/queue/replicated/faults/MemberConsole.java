package dev.touchstone.queue.replicated.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueClosedException;
import dev.touchstone.queue.replicated.FaultyEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.SplittableRandom;

/**
 * Commands that the process of a member takes from its standard input, a line for each:
 *
 * <pre>
 *  state          answers: state, whether it leads, term, leader
 *  clock MILLIS   sets the wall clock ahead or back
 *  full true      lets the disk of the engine's log be full, or not (false)
 *  cut SEED       cuts the power
 *  close          ends the process
 * </pre>
 */
final class MemberConsole {
    static final int CUT_EXIT = 137;

    private final DiskQueue<?> queue;

    MemberConsole(DiskQueue<?> queue) {
        this.queue = queue;
    }

    /** Takes a command that not every member's program has; returns false if it is none. */
    interface More {
        boolean take(String[] words) throws IOException;
    }

    /** Takes commands until the process is told to close. */
    void run(More more) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null && !line.equals("close"); line = in.readLine()) {
            String[] words = line.split(" ", -1);
            if (!take(words) && !more.take(words)) {
                throw new IllegalArgumentException("not a command: " + line);
            }
        }
    }

    private boolean take(String[] words) throws IOException {
        switch (words[0]) {
            case "state" ->
                say("state " + queue.replication().isLeader() + " "
                        + queue.replication().term() + " " + queue.replication().leader());
            case "clock" -> JumpingClock.set(Long.parseLong(words[1]));
            case "full" -> FaultyEngine.files().setFull(Boolean.parseBoolean(words[1]));
            case "cut" -> {
                FaultyEngine.files().cut(new SplittableRandom(Long.parseLong(words[1])));
                Runtime.getRuntime().halt(CUT_EXIT);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Writes a line to standard output, whole. */
    static synchronized void say(String line) {
        try {
            System.out.write((line + "\n").getBytes(UTF_8));
            System.out.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs a task of the program until the queue is closed; a task that fails ends the process. */
    static void start(Runnable task) {
        MemberLinks.start("task", () -> {
            try {
                task.run();
            } catch (QueueClosedException atTheEnd) {
                // told to close
            } catch (RuntimeException e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(7);
            }
        });
    }
}

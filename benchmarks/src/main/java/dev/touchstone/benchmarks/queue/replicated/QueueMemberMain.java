package dev.touchstone.benchmarks.queue.replicated;

import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.file.Path;

/** A member of our replicated queue in a process of its own, which ends when its standard input does: with the benchmark that has started it. */
public final class QueueMemberMain {
    private QueueMemberMain() {}

    /** Opens the queue in {@code folder}. */
    static DiskQueue<byte[]> open(String member, String[] members, Path folder) {
        return DiskQueue.replicated()
                .member(member)
                .members(members)
                .folder(folder)
                .open();
    }

    /** Runs the member; arguments: its address, the addresses of all with commas between them, its folder. */
    public static void main(String[] args) throws IOException {
        DiskQueue<byte[]> queue = open(args[0], args[1].split(",", -1), Path.of(args[2]));
        while (System.in.read() >= 0) {
            // nobody writes
        }
        queue.close();
    }
}

package dev.touchstone.queue.replicated;

import dev.touchstone.queue.DiskQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process with all three members of a group, each of which offers elements of the greatest length by two threads and polls them. */
final class SmallProcess {
    private static final int MAX_BYTES = 4 << 20;

    private SmallProcess() {}

    /** Arguments: folder, number of elements of each thread. */
    public static void main(String[] args) throws Exception {
        String[] members = new String[3];
        for (int i = 0; i < 3; i++) {
            members[i] = Group.freeAddress();
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<DiskQueue<byte[]>>> opening = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Path folder = Path.of(args[0]).resolve("member-" + i);
            String member = members[i];
            opening.add(threads.submit(() -> DiskQueue.replicated()
                    .member(member)
                    .members(members)
                    .folder(folder)
                    .open()));
        }
        List<DiskQueue<byte[]>> queues = new ArrayList<>();
        for (Future<DiskQueue<byte[]>> each : opening) {
            queues.add(each.get());
        }
        System.out.println(refusalOf(queues.get(0), 4 * MAX_BYTES));
        long start = System.nanoTime();
        List<Future<?>> running = new ArrayList<>();
        for (DiskQueue<byte[]> queue : queues) {
            for (int thread = 0; thread < 2; thread++) {
                running.add(threads.submit(() -> {
                    for (int i = Integer.parseInt(args[1]); i > 0; i--) {
                        queue.add(new byte[MAX_BYTES]);
                        if (queue.poll() == null) {
                            throw new AssertionError("an element is lost");
                        }
                    }
                    return null;
                }));
            }
        }
        for (Future<?> each : running) {
            each.get();
        }
        System.out.println("done in ms: " + (System.nanoTime() - start) / 1_000_000);
        queues.forEach(DiskQueue::close);
        System.exit(0);
    }

    private static String refusalOf(DiskQueue<byte[]> queue, int bytes) {
        try {
            queue.add(new byte[bytes]);
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        throw new AssertionError("an element of " + bytes + " bytes is taken");
    }
}

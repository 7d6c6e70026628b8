package dev.touchstone.queue.replicated;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process with all three members of a group, whose queue gets many elements, is opened again at each member, and is emptied. */
final class ManyElements {
    private ManyElements() {}

    private static DiskQueue<String> open(Path folder, String[] members, int number) {
        return DiskQueue.replicated()
                .member(members[number])
                .members(members)
                .folder(folder.resolve("member-" + number))
                .codec(Codec.utf8())
                .open();
    }

    /** Arguments: folder, number of elements. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        int count = Integer.parseInt(args[1]);
        String[] members = new String[3];
        for (int i = 0; i < 3; i++) {
            members[i] = Group.freeAddress();
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<DiskQueue<String>>> opening = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            opening.add(threads.submit(() -> open(folder, members, number)));
        }
        List<DiskQueue<String>> queues = new ArrayList<>();
        for (Future<DiskQueue<String>> each : opening) {
            queues.add(each.get());
        }
        offer(queues, count);
        long start = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            queues.get(i).close();
            queues.set(i, open(folder, members, i));
            queues.get(i).replication().awaitCommitted();
            if (queues.get(i).size() != count) {
                throw new AssertionError("size=" + queues.get(i).size());
            }
        }
        System.out.println("opened again in ms: " + (System.nanoTime() - start) / 1_000_000);
        List<Future<Integer>> taking = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            DiskQueue<String> queue = queues.get(i % 3);
            taking.add(threads.submit(() -> {
                int taken = 0;
                while (queue.poll() != null) {
                    taken++;
                }
                return taken;
            }));
        }
        int taken = 0;
        for (Future<Integer> each : taking) {
            taken += each.get();
        }
        if (taken != count) {
            throw new AssertionError("taken=" + taken);
        }
        System.out.println("done in ms: " + (System.nanoTime() - start) / 1_000_000);
        queues.forEach(DiskQueue::close);
        System.exit(0);
    }

    private static void offer(List<DiskQueue<String>> queues, int count) throws Exception {
        List<CompletionStage<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(queues.get(i % 3).offerAsync("element-" + i + "-" + "x".repeat(200)));
            if (answers.size() == 3_000) {
                await(answers);
            }
        }
        await(answers);
    }

    private static void await(List<CompletionStage<Boolean>> answers) throws Exception {
        for (CompletionStage<Boolean> answer : answers) {
            if (!answer.toCompletableFuture().get()) {
                throw new AssertionError("refused");
            }
        }
        answers.clear();
    }
}

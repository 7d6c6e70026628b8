package dev.touchstone.samples.consumer;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** Opens a replicated queue of one member, and takes an element that a producer has offered twice. */
final class ReplicatedQueueSample implements Sample {
    @Override
    public void run(Path folder) throws Exception {
        String member;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            member = "127.0.0.1:" + free.getLocalPort();
        }
        try (DiskQueue<String> queue = DiskQueue.replicated()
                .member(member)
                .members(member)
                .folder(folder.resolve("replicated"))
                .codec(Codec.utf8())
                .open()) {
            Sample.check(true, queue.replication().offer("producer", 1, "element"));
            Sample.check(true, queue.replication().offer("producer", 1, "element"));
            Sample.check("element", queue.poll());
            Sample.check(0, queue.size());
        }
    }
}

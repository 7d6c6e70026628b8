package dev.touchstone.queue.samples;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Every reader gets every element, at its own pace; files go when the slowest is past them. */
final class FanOut {
    private FanOut() {}

    /** Returns what a reader is given that comes back after the queue was closed. */
    static List<String> run(Path folder) {
        try (DiskQueue<String> events = open(folder)) {
            events.cursor("billing");
            events.cursor("audit");
            events.offerAll(List.of("ordered", "paid", "shipped"));
            QueueCursor<String> billing = events.cursor("billing");
            while (billing.poll() != null) {
                // bills
            }
            events.cursor("audit").poll();
        }
        List<String> left = new ArrayList<>();
        try (DiskQueue<String> events = open(folder)) {
            QueueCursor<String> audit = events.cursor("audit");
            for (String event = audit.poll(); event != null; event = audit.poll()) {
                left.add(event);
            }
        }
        return left;
    }

    private static DiskQueue<String> open(Path folder) {
        return DiskQueue.written()
                .folder(folder)
                .codec(Codec.utf8())
                .namedCursorsOnly()
                .open();
    }
}

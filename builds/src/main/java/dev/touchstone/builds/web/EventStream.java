package dev.touchstone.builds.web;

import dev.touchstone.builds.access.Caller;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells one follower how a job goes on, as server-sent events: {@code state}, {@code log} and, at last, {@code result}. The id of each event is the offset
 * behind the bytes of the log that were told so far, so that who comes again with it misses nothing and gets nothing twice. For one thread.
 */
final class EventStream {
    private static final int CHUNK = 16 << 10; // text in control characters takes twelve times that in memory
    private static final Duration LOOK = Duration.ofSeconds(1); // a revoked token ends the stream so soon
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(15);
    /** Time after which a stream ends by itself: the server would cut it off a minute later. */
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(9);

    private final BuildsView view;
    private final Caller caller;
    private final OutputStream out;
    private final ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
    private long offset;
    private long toldNanos;

    /** Creates the stream of a follower who has the log up to an offset. */
    EventStream(BuildsView view, Caller caller, OutputStream out, long offset) {
        this.view = view;
        this.caller = caller;
        this.out = out;
        this.offset = offset;
    }

    /**
     * Tells what there is until the job is over, or is gone, or the follower may not see it any more, or after nine minutes.
     *
     * @param isValid whether the caller still may see anything
     */
    void run(JobSummary job, BooleanSupplier isValid) throws IOException, InterruptedException {
        long start = System.nanoTime();
        toldNanos = start;
        JobSummary told = null;
        Optional<JobSummary> now = Optional.of(job);
        while (now.isPresent() && isValid.getAsBoolean() && System.nanoTime() - start < MAX_NANOS) {
            JobSummary seen = now.get();
            if (!seen.over() && (told == null || !told.isSameState(seen))) {
                tell("state", seen);
                told = seen;
            }
            boolean isMore = log(seen.id());
            if (seen.over() && !isMore) {
                tell("result", seen);
                return;
            }
            if (!isMore) {
                keepAlive();
                view.awaitChange(seen, LOOK);
            }
            now = view.job(caller, seen.id());
        }
    }

    /** Tells one chunk; returns whether there was one. */
    private boolean log(String id) throws IOException {
        bytes.clear();
        if (view.readLog(id, offset, bytes) <= 0) {
            return false;
        }
        bytes.flip();
        Map<String, Object> chunk = new LinkedHashMap<>();
        chunk.put("offset", offset);
        String text = text(bytes);
        if (text != null) {
            chunk.put("text", text);
            offset += bytes.position();
        } else {
            byte[] exact = new byte[bytes.rewind().remaining()];
            bytes.get(exact);
            chunk.put("base64", Base64.getEncoder().encodeToString(exact));
            offset += exact.length;
        }
        tell("log", chunk);
        return true;
    }

    /** Decodes up to the last whole character, and moves the position there; returns null if there is none, or bytes are not UTF-8. */
    private static @Nullable String text(ByteBuffer bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer chars = CharBuffer.allocate(bytes.remaining());
        boolean isText = !decoder.decode(bytes, chars, false).isError() && bytes.position() > 0;
        return isText ? chars.flip().toString() : null;
    }

    private void tell(String event, Object data) throws IOException {
        out.write(("event: " + event + "\nid: " + offset + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
        out.write(Reply.line(data));
        out.write('\n');
        out.write('\n');
        out.flush();
        toldNanos = System.nanoTime();
    }

    private void keepAlive() throws IOException {
        if (System.nanoTime() - toldNanos > SILENCE_NANOS) {
            out.write(":\n\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            toldNanos = System.nanoTime();
        }
    }
}

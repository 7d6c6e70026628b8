package dev.touchstone.builds.origin;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The end of a build, as a reply says it.
 *
 * @param pull how long fetching the sources took
 * @param build how long the script took
 * @param error why it failed; empty for success
 */
record BuildReply(Duration pull, Duration build, String error) {
    private static final int MAX_ERROR = 4096;
    private static final Pattern EXIT_STATUS = Pattern.compile("exit status ([0-9]{1,9})");

    /**
     * Reads a reply's value. Other keys than its own are passed over.
     *
     * @throws MalformedMessageException if it is none
     */
    static BuildReply decode(ByteBuffer bytes) throws MalformedMessageException {
        Map<?, ?> map = PackReader.map(bytes);
        Object error = map.get("error");
        if (error != null && !(error instanceof String)) {
            throw new MalformedMessageException("error is not a text");
        }
        String text = error == null ? "" : (String) error;
        return new BuildReply(
                duration(map, "pullDuration"),
                duration(map, "buildDuration"),
                text.length() > MAX_ERROR ? text.substring(0, MAX_ERROR) : text);
    }

    private static Duration duration(Map<?, ?> map, String key) throws MalformedMessageException {
        Object nanos = map.get(key);
        if (nanos == null) {
            return Duration.ZERO;
        }
        if (!(nanos instanceof Long count)) {
            throw new MalformedMessageException("duration is not a number: key=" + key);
        }
        return Duration.ofNanos(Math.max(0, count));
    }

    /** Returns the bytes, as {@link #decode} reads them. */
    ByteBuffer encode() {
        return new PackWriter()
                .map(3)
                .text("pullDuration")
                .number(pull.toNanos())
                .text("buildDuration")
                .number(build.toNanos())
                .text("error")
                .text(error)
                .done();
    }

    /** Returns a reply that has nothing but a reason. */
    static BuildReply failed(String error) {
        return new BuildReply(Duration.ZERO, Duration.ZERO, error);
    }

    /** Returns the reply of a result: the script's exit code stands in its text, as the original's slaves write it. */
    static BuildReply of(BuildResult result) {
        String error = result.message();
        if (result.code() == BuildCode.SCRIPT_FAILED) {
            error = "exit status " + result.exitCode();
        } else if (result.code() == BuildCode.OK) {
            error = "";
        } else if (error.isEmpty()) {
            error = result.code().toString();
        }
        return new BuildReply(result.pull(), result.build(), error);
    }

    /** Returns the exit code that the error names; 1 if it names none. */
    int exitCode() {
        Matcher matcher = EXIT_STATUS.matcher(error);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) & 0xff : 1;
    }
}

package dev.touchstone.builds.agent.store;

import dev.touchstone.builds.agent.artefact.Collected;
import dev.touchstone.builds.agent.process.ProcessId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The small file in which an attempt is remembered: entries one behind the other, as they come to be known. What is behind the last whole one is
 * what the agent could not end writing.
 *
 * <pre>
 *   0        4        5        6        10                n        n + 4
 *   +--------+--------+--------+--------+-----------------+--------+
 *   | "TSBJ" | version| kind   | n      | fields          | CRC32C |     numbers big-endian, texts as DataOutput.writeUTF
 *   +--------+--------+--------+--------+-----------------+--------+     the checksum is of all before it
 *
 *   kind 1, job:      jobId, attempt i32, epoch i64, mark, masked u8
 *   kind 2, process:  pid i64, startTicks i64, bootId
 *   kind 3, outcome:  code i32, exitCode i32, message, pull nanos i64, build nanos i64, logBytes i64, truncated u8,
 *                    artefacts i32, their bytes i64, bundleBytes i64, which an earlier version did not write
 * </pre>
 */
final class JobFormat {
    static final int MAX_BYTES = 1 << 17;

    private static final int MAGIC = 0x5453424a;
    private static final int VERSION = 2;
    private static final int JOB = 1;
    private static final int PROCESS = 2;
    private static final int OUTCOME = 3;
    private static final int HEAD_BYTES = 10;
    private static final int LENGTH_AT = 6;
    private static final int CHECKSUM_BYTES = 4;
    private static final int MAX_MESSAGE_CHARS = 4_000;

    private JobFormat() {}

    /** The whole entries of a file; process and outcome are empty while they are not known. */
    record Entries(Attempt attempt, Optional<ProcessId> process, Optional<Outcome> outcome) {}

    private interface Fields {
        void write(DataOutputStream out) throws IOException;
    }

    static byte[] write(Attempt attempt) throws IOException {
        return write(JOB, out -> {
            out.writeUTF(attempt.jobId());
            out.writeInt(attempt.attempt());
            out.writeLong(attempt.epoch());
            out.writeUTF(attempt.mark());
            out.writeBoolean(attempt.masked());
        });
    }

    static byte[] write(ProcessId process) throws IOException {
        return write(PROCESS, out -> {
            out.writeLong(process.pid());
            out.writeLong(process.startTicks());
            out.writeUTF(process.bootId());
        });
    }

    static byte[] write(Outcome outcome) throws IOException {
        String message = outcome.message();
        return write(OUTCOME, out -> {
            out.writeInt(outcome.code().number());
            out.writeInt(outcome.exitCode());
            out.writeUTF(message.substring(0, Math.min(message.length(), MAX_MESSAGE_CHARS)));
            out.writeLong(outcome.pull().toNanos());
            out.writeLong(outcome.build().toNanos());
            out.writeLong(outcome.logBytes());
            out.writeBoolean(outcome.truncated());
            out.writeInt(outcome.collected().files());
            out.writeLong(outcome.collected().bytes());
            out.writeLong(outcome.collected().bundleBytes());
        });
    }

    /**
     * Reads a file.
     *
     * @throws JobFormatException if it does not begin with a job, or has another version
     */
    static Entries read(byte[] bytes) throws JobFormatException {
        try {
            return entries(bytes);
        } catch (IOException e) {
            throw new JobFormatException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Entries entries(byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        Optional<DataInputStream> first = next(rest, JOB);
        if (first.isEmpty()) {
            throw new IOException("bytes=" + bytes.length + " do not begin with a whole entry of a job");
        }
        Attempt attempt = readAttempt(first.get());
        Optional<DataInputStream> process = next(rest, PROCESS);
        Optional<DataInputStream> outcome = next(rest, OUTCOME);
        return new Entries(
                attempt,
                process.isPresent() ? Optional.of(readProcess(process.get())) : Optional.empty(),
                outcome.isPresent() ? Optional.of(readOutcome(outcome.get())) : Optional.empty());
    }

    private static Attempt readAttempt(DataInputStream in) throws IOException {
        return new Attempt(in.readUTF(), in.readInt(), in.readLong(), in.readUTF(), in.readBoolean());
    }

    private static ProcessId readProcess(DataInputStream in) throws IOException {
        return new ProcessId(in.readLong(), in.readLong(), in.readUTF());
    }

    private static Outcome readOutcome(DataInputStream in) throws IOException {
        OutcomeCode code;
        try {
            code = OutcomeCode.of(in.readInt());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        return new Outcome(
                code,
                in.readInt(),
                in.readUTF(),
                Duration.ofNanos(in.readLong()),
                Duration.ofNanos(in.readLong()),
                in.readLong(),
                in.readBoolean(),
                in.available() == 0 ? Collected.NONE : new Collected(in.readInt(), in.readLong(), in.readLong()));
    }

    private static byte[] write(int kind, Fields fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeByte(VERSION);
        out.writeByte(kind);
        out.writeInt(0);
        fields.write(out);
        out.writeInt(0);
        byte[] entry = bytes.toByteArray();
        int end = entry.length - CHECKSUM_BYTES;
        ByteBuffer.wrap(entry).putInt(LENGTH_AT, end).putInt(end, checksum(entry, 0, end));
        return entry;
    }

    /** The fields of the next entry, if it is whole and of this kind; {@code rest} is behind it then. */
    @SuppressWarnings("ByteBufferBackingArray") // wrapped around a whole array
    private static Optional<DataInputStream> next(ByteBuffer rest, int kind) throws IOException {
        int at = rest.position();
        if (rest.remaining() < HEAD_BYTES + CHECKSUM_BYTES || rest.getInt(at) != MAGIC) {
            return Optional.empty();
        }
        int version = rest.get(at + Integer.BYTES);
        if (version != VERSION) {
            throw new IOException("expected version=" + VERSION + ", got version=" + version);
        }
        int length = rest.getInt(at + LENGTH_AT);
        boolean isWhole = length >= HEAD_BYTES
                && length <= rest.remaining() - CHECKSUM_BYTES
                && checksum(rest.array(), at, length) == rest.getInt(at + length);
        if (!isWhole || rest.get(at + Integer.BYTES + 1) != kind) {
            return Optional.empty();
        }
        rest.position(at + length + CHECKSUM_BYTES);
        return Optional.of(
                new DataInputStream(new ByteArrayInputStream(rest.array(), at + HEAD_BYTES, length - HEAD_BYTES)));
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}

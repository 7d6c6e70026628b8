package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.process.ProcessId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.zip.CRC32C;

/**
 * The small files in which an attempt is remembered.
 *
 * <pre>
 *   0        4        5        6                 n        n + 4
 *   +--------+--------+--------+-----------------+--------+
 *   | "TSBJ" | version| kind   | fields          | CRC32C |     numbers big-endian, texts as DataOutput.writeUTF
 *   +--------+--------+--------+-----------------+--------+     the checksum is of all before it
 *
 *   kind 1, job:      jobId, attempt i32, epoch i64, mark, masked u8
 *   kind 2, process:  pid i64, startTicks i64, bootId
 *   kind 3, outcome:  code i32, exitCode i32, message, pull nanos i64, build nanos i64, logBytes i64, truncated u8
 * </pre>
 */
final class JobFormat {
    static final int MOST_BYTES = 1 << 17;

    private static final int MAGIC = 0x5453424a;
    private static final int VERSION = 1;
    private static final int JOB = 1;
    private static final int PROCESS = 2;
    private static final int OUTCOME = 3;
    private static final int CHECKSUM_BYTES = 4;
    private static final int MOST_MESSAGE_CHARS = 4_000;

    private JobFormat() {}

    /**
     * What is known when an attempt begins.
     *
     * @param mark of its processes
     * @param masked whether only the masked log may be read
     */
    record Job(String jobId, int attempt, long epoch, String mark, boolean masked) {}

    private interface Fields {
        void write(DataOutputStream out) throws IOException;
    }

    static byte[] write(Job job) throws IOException {
        return write(JOB, out -> {
            out.writeUTF(job.jobId());
            out.writeInt(job.attempt());
            out.writeLong(job.epoch());
            out.writeUTF(job.mark());
            out.writeBoolean(job.masked());
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
            out.writeUTF(message.substring(0, Math.min(message.length(), MOST_MESSAGE_CHARS)));
            out.writeLong(outcome.pull().toNanos());
            out.writeLong(outcome.build().toNanos());
            out.writeLong(outcome.logBytes());
            out.writeBoolean(outcome.truncated());
        });
    }

    static Job readJob(byte[] bytes) throws IOException {
        DataInputStream in = open(bytes, JOB);
        return new Job(in.readUTF(), in.readInt(), in.readLong(), in.readUTF(), in.readBoolean());
    }

    static ProcessId readProcess(byte[] bytes) throws IOException {
        DataInputStream in = open(bytes, PROCESS);
        return new ProcessId(in.readLong(), in.readLong(), in.readUTF());
    }

    static Outcome readOutcome(byte[] bytes) throws IOException {
        DataInputStream in = open(bytes, OUTCOME);
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
                in.readBoolean());
    }

    private static byte[] write(int kind, Fields fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeByte(VERSION);
        out.writeByte(kind);
        fields.write(out);
        out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    private static DataInputStream open(byte[] bytes, int kind) throws IOException {
        int end = bytes.length - CHECKSUM_BYTES;
        if (end < 0 || checksum(bytes, end) != ByteBuffer.wrap(bytes).getInt(end)) {
            throw new IOException("bytes=" + bytes.length + " do not have the checksum that they say");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, end));
        int magic = in.readInt();
        int version = in.readByte();
        int found = in.readByte();
        if (magic != MAGIC || version != VERSION || found != kind) {
            throw new IOException(
                    "expected version=" + VERSION + ", kind=" + kind + ", got version=" + version + ", kind=" + found);
        }
        return in;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}

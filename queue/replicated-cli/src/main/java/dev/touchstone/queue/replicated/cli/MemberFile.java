package dev.touchstone.queue.replicated.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.UsageException;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.WhenFull;
import dev.touchstone.queue.replicated.GroupClient;
import dev.touchstone.queue.replication.GroupOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The file that describes a member. */
final class MemberFile {
    private static final Set<String> NAMES = Set.of(
            "member",
            "listen",
            "members",
            "folder",
            "max-elements",
            "max-bytes",
            "when-full",
            "max-record-bytes",
            "segment-bytes",
            "named-cursors-only",
            "leases",
            "lease-seconds",
            "election-ms",
            "answer-ms",
            "tls-certificate",
            "tls-key",
            "tls-authority");

    @Parameters(paramLabel = "FILE", description = "File that describes the member; see queue-replicated --help.")
    Path path = Path.of("");

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Reads the file. @throws UsageException if a line is wrong */
    MemberFile read() throws IOException {
        int number = 0;
        for (String line : Files.readAllLines(path)) {
            number++;
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            int sign = text.indexOf('=');
            String name = sign < 0 ? text : text.substring(0, sign).strip();
            if (sign < 0 || !NAMES.contains(name)) {
                throw new UsageException(
                        path + " line " + number + ": not a setting: " + text + "; see queue-replicated --help");
            }
            values.put(name, text.substring(sign + 1).strip());
        }
        return this;
    }

    private String required(String name) {
        String value = values.get(name);
        if (value == null || value.isEmpty()) {
            throw new UsageException(path + ": " + name + " is missing");
        }
        return value;
    }

    private <V> @Nullable V optional(String name, Function<String, V> parser) {
        String value = values.get(name);
        try {
            return value == null ? null : parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw new UsageException(path + ": " + name + "=" + value + " cannot be read: " + e.getMessage());
        }
    }

    /** Returns the address of this member. */
    String member() {
        return required("member");
    }

    /** Returns the members to ask: those of the file, or this one. */
    List<String> members() {
        String members = values.getOrDefault("members", "");
        return List.of((members.isEmpty() ? member() : members).split("\\s*,\\s*"));
    }

    /** Opens this member's queue. */
    DiskQueue<byte[]> open() {
        DiskQueueBuilder<byte[]> builder =
                DiskQueue.replicated().member(member()).folder(Path.of(required("folder")));
        if (!values.getOrDefault("members", "").isEmpty()) {
            builder = builder.members(members().toArray(String[]::new));
        }
        String listen = values.get("listen");
        builder = listen == null ? builder : builder.memberListen(listen);
        Long elements = optional("max-elements", Long::valueOf);
        builder = elements == null ? builder : builder.maxElements(elements);
        Long bytes = optional("max-bytes", Long::valueOf);
        builder = bytes == null ? builder : builder.maxBytes(bytes);
        WhenFull policy = optional("when-full", text -> WhenFull.valueOf(text.toUpperCase(Locale.ROOT)));
        builder = policy == null ? builder : builder.whenFull(policy);
        Integer record = optional("max-record-bytes", Integer::valueOf);
        builder = record == null ? builder : builder.maxRecordBytes(record);
        Integer segment = optional("segment-bytes", Integer::valueOf);
        builder = segment == null ? builder : builder.segmentBytes(segment);
        builder = Boolean.parseBoolean(values.get("named-cursors-only")) ? builder.namedCursorsOnly() : builder;
        return timed(builder).open();
    }

    private DiskQueueBuilder<byte[]> timed(DiskQueueBuilder<byte[]> builder) {
        Integer leases = optional("leases", Integer::valueOf);
        Long seconds = optional("lease-seconds", Long::valueOf);
        Long election = optional("election-ms", Long::valueOf);
        Long answer = optional("answer-ms", Long::valueOf);
        GroupOptions.Tls tls = tls();
        DiskQueueBuilder<byte[]> timed = builder.leases(
                        leases == null ? 10_000 : leases, Duration.ofSeconds(seconds == null ? 30 : seconds))
                .memberTimes(
                        Duration.ofMillis(election == null ? 500 : election),
                        Duration.ofMillis(answer == null ? 10_000 : answer));
        return tls == null ? timed : timed.memberTls(tls.certificate(), tls.key(), tls.authority());
    }

    private GroupOptions.@Nullable Tls tls() {
        return values.containsKey("tls-certificate") || values.containsKey("tls-key")
                ? new GroupOptions.Tls(
                        Path.of(required("tls-certificate")),
                        Path.of(required("tls-key")),
                        Path.of(required("tls-authority")))
                : null;
    }

    /** Returns a client of the members, which tells on the console what it waits for. */
    GroupClient client(Duration timeout, Console console) throws IOException {
        return new GroupClient(members(), tls(), timeout, waits -> console.err().println(waits));
    }
}

package dev.touchstone.queue.replicated.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.UsageException;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.WhenFull;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.replicated.GroupClient;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.TlsContexts;
import dev.touchstone.queue.replicated.member.MemberFolder;
import dev.touchstone.queue.replication.GroupOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The file that describes a member. Each value is checked when the file is read, so that none fails later. */
final class MemberFile {
    private static final String BYTE_ORDER_MARK = "\ufeff"; // some editors of Windows begin a file with it

    @Parameters(paramLabel = "FILE", description = "File that describes the member; see queue-replicated --help.")
    Path path = Path.of("");

    private final Map<Setting, Entry> entries = new EnumMap<>(Setting.class);

    /** A value, and the number of the line that has it. */
    private record Entry(int line, String value) {}

    /**
     * Reads the file.
     *
     * @return this file
     * @throws UsageException if a line is wrong, or the lines do not fit each other
     */
    MemberFile read() throws IOException {
        int number = 0;
        for (String line : lines()) {
            number++;
            boolean isMarked = number == 1 && line.startsWith(BYTE_ORDER_MARK);
            String text =
                    line.substring(isMarked ? BYTE_ORDER_MARK.length() : 0).strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                read(number, text);
            }
        }
        Entry members = entries.get(Setting.MEMBERS);
        if (members != null && !members().contains(member())) {
            throw refusal(Setting.MEMBERS, "this member, " + member() + ", among them");
        }
        checkTls();
        return this;
    }

    private void checkTls() {
        GroupOptions.Tls tls = tls();
        try {
            TlsContexts unused = tls == null ? null : TlsContexts.of(tls);
        } catch (IOException e) {
            throw new UsageException(path + ": " + e.getMessage(), e);
        }
    }

    private List<String> lines() throws IOException {
        if (Files.isDirectory(path)) {
            throw new UsageException(path + " is a folder: expected a file; see queue-replicated --help");
        }
        try {
            return Files.readAllLines(path);
        } catch (CharacterCodingException e) {
            throw new UsageException(path + " is not text in UTF-8: expected lines NAME=VALUE", e);
        } catch (FileSystemException e) {
            throw new UsageException(FailureMessages.describe(e), e);
        } catch (IOException e) {
            throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void read(int number, String text) {
        int sign = text.indexOf('=');
        Setting setting =
                Setting.of(sign < 0 ? text : text.substring(0, sign).strip()).orElse(null);
        if (sign < 0 || setting == null) {
            throw new UsageException(
                    path + " line " + number + ": not a setting: " + text + "; see queue-replicated --help");
        }
        Entry before =
                entries.put(setting, new Entry(number, text.substring(sign + 1).strip()));
        if (before != null) {
            throw refusal(setting, "it once, but line " + before.line() + " has it too");
        }
        if (!setting.takes(value(setting))) {
            throw refusal(setting, setting.expected());
        }
    }

    private UsageException refusal(Setting setting, String expected) {
        int line = entries.containsKey(setting) ? entry(setting).line() : 0;
        return new UsageException(
                path + " line " + line + ": " + setting.key() + "=" + value(setting) + ": expected " + expected);
    }

    private Entry entry(Setting setting) {
        Entry entry = entries.get(setting);
        if (entry == null) {
            throw new UsageException(path + ": " + setting.key() + " is missing: expected " + setting.expected());
        }
        return entry;
    }

    private String value(Setting setting) {
        return entry(setting).value();
    }

    private OptionalLong number(Setting setting) {
        Entry entry = entries.get(setting);
        return entry == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(entry.value()));
    }

    /** Returns the address of this member. */
    String member() {
        return value(Setting.MEMBER);
    }

    /** Returns the members to ask: those of the file, or this one. */
    List<String> members() {
        return Setting.addresses(value(entries.containsKey(Setting.MEMBERS) ? Setting.MEMBERS : Setting.MEMBER));
    }

    /**
     * Opens this member's queue.
     *
     * @throws UsageException if this machine has another address or folder than the file
     */
    DiskQueue<byte[]> open() throws IOException {
        checkMachine();
        DiskQueueBuilder<byte[]> builder =
                DiskQueue.replicated().member(member()).folder(Path.of(value(Setting.FOLDER)));
        if (entries.containsKey(Setting.MEMBERS)) {
            builder = builder.members(members().toArray(String[]::new));
        }
        if (entries.containsKey(Setting.LISTEN)) {
            builder = builder.memberListen(value(Setting.LISTEN));
        }
        if (entries.containsKey(Setting.WHEN_FULL)) {
            builder = builder.whenFull(WhenFull.valueOf(value(Setting.WHEN_FULL).toUpperCase(Locale.ROOT)));
        }
        if (entries.containsKey(Setting.NAMED_CURSORS_ONLY)
                && value(Setting.NAMED_CURSORS_ONLY).equals("true")) {
            builder = builder.namedCursorsOnly();
        }
        return timed(limited(builder)).open();
    }

    private void checkMachine() throws IOException {
        Setting listens = entries.containsKey(Setting.LISTEN) ? Setting.LISTEN : Setting.MEMBER;
        String host = MemberAddress.parseListen(value(listens)).getIp();
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getByName(host), 0)); // whoever has the port may end soon
        } catch (UnknownHostException | BindException e) {
            throw refusal(
                    listens,
                    "an address of this machine, or listen=HOST:PORT with one"
                            + (e instanceof BindException ? "" : ": unknown host " + host));
        }
        Path folder = Path.of(value(Setting.FOLDER));
        try {
            new DiskFileIo().createFolder(folder);
        } catch (FileSystemException e) {
            throw refusal(
                    Setting.FOLDER, "a folder, or a path at which one can be made: " + FailureMessages.describe(e));
        }
        if (!Files.isWritable(folder)) {
            throw refusal(Setting.FOLDER, "a folder in which this user may write");
        }
        String owner = MemberFolder.addressOf(GroupOptions.folderIn(folder));
        if (!owner.isEmpty() && !owner.equals(member())) {
            throw refusal(Setting.MEMBER, owner + ", the member whose folder this is, or another folder");
        }
    }

    private DiskQueueBuilder<byte[]> limited(DiskQueueBuilder<byte[]> builder) {
        DiskQueueBuilder<byte[]> limited = builder;
        if (entries.containsKey(Setting.MAX_RECORD_BYTES)) {
            limited = limited.maxRecordBytes(
                    (int) number(Setting.MAX_RECORD_BYTES).orElseThrow());
        }
        if (entries.containsKey(Setting.SEGMENT_BYTES)) {
            limited = limited.segmentBytes((int) number(Setting.SEGMENT_BYTES).orElseThrow());
        }
        return limited.maxElements(number(Setting.MAX_ELEMENTS).orElse(Long.MAX_VALUE))
                .maxBytes(number(Setting.MAX_BYTES).orElse(Long.MAX_VALUE));
    }

    private DiskQueueBuilder<byte[]> timed(DiskQueueBuilder<byte[]> builder) {
        GroupOptions.Tls tls = tls();
        DiskQueueBuilder<byte[]> timed = builder.leases(
                        (int) number(Setting.LEASES).orElse(10_000),
                        Duration.ofSeconds(number(Setting.LEASE_SECONDS).orElse(30)))
                .memberTimes(
                        Duration.ofMillis(number(Setting.ELECTION_MS).orElse(500)),
                        Duration.ofMillis(number(Setting.ANSWER_MS).orElse(10_000)));
        return tls == null ? timed : timed.memberTls(tls.certificate(), tls.key(), tls.authority());
    }

    private GroupOptions.@Nullable Tls tls() {
        Path[] files = tlsFiles();
        return files.length == 0 ? null : new GroupOptions.Tls(files[0], files[1], files[2]);
    }

    /** Returns certificate, key and authority, or nothing where none is given. */
    private Path[] tlsFiles() {
        List<Setting> all = List.of(Setting.TLS_CERTIFICATE, Setting.TLS_KEY, Setting.TLS_AUTHORITY);
        for (Setting given : all) {
            for (Setting other : all) {
                if (entries.containsKey(given) && !entries.containsKey(other)) {
                    throw refusal(given, "also " + other.key() + ": TLS needs a certificate, its key and an authority");
                }
            }
        }
        return all.stream()
                .filter(entries::containsKey)
                .map(setting -> Path.of(value(setting)))
                .toArray(Path[]::new);
    }

    /** Returns a client of this member's group, which tells on the console what it waits for. */
    GroupClient client(Duration timeout, Console console) throws IOException {
        Path folder =
                entries.containsKey(Setting.FOLDER) ? GroupOptions.folderIn(Path.of(value(Setting.FOLDER))) : null;
        return new GroupClient(
                members(), folder, tls(), timeout, waits -> console.err().println(waits));
    }
}

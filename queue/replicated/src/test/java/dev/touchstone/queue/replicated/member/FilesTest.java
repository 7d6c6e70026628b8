package dev.touchstone.queue.replicated.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.storage.SmallFile;
import dev.touchstone.queue.replication.GroupOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a member's id and of the members' ids. */
class FilesTest {
    @TempDir
    Path folder;

    private final DiskFileIo io = new DiskFileIo();

    @Test
    void store_idOfAnEmptyFolder_isKept() throws Exception {
        Identity created = Identity.open(io, folder, "a:1", true);
        assertThat(created.id()).matches("[0-9a-f]{32}");
        assertThat(folder).isEmptyDirectory();
        created.store(io, folder);
        assertThat(Identity.open(io, folder, "a:1", false)).isEqualTo(created);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(Identity.FILE))))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> Identity.open(io, folder, "b:1", false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a:1");
    }

    @Test
    void open_folderOfAnotherKind_isRefused() throws Exception {
        assertThatThrownBy(() -> Identity.open(io, folder, "a:1", false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("member");
        for (String other : List.of(
                "",
                "x",
                "touchstone-member 1\n",
                "touchstone-member 1\nabc a:1\n",
                "touchstone-member 2\n" + "0".repeat(32) + " a:1\n")) {
            SmallFile.write(io, folder.resolve(Identity.FILE), other);
            assertThatThrownBy(() -> Identity.open(io, folder, "a:1", false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("member");
        }
    }

    @Test
    void put_memberThatMayStart_isKeptInTheFolder() throws Exception {
        Identity first = new Identity("0".repeat(32), "a:1");
        Identity second = new Identity("1".repeat(32), "a:1");
        AnsweredMembers answered = new AnsweredMembers(io, folder);
        assertThat(answered.hasOther(first)).isFalse();
        answered.put(second, List.of("b:1")); // no member
        answered.put(first, List.of("a:1"));
        for (AnsweredMembers each : List.of(answered, new AnsweredMembers(io, folder))) {
            assertThat(each.hasOther(first)).isFalse();
            assertThat(each.hasOther(second)).isTrue();
        }
    }

    @Test
    void admit_toAGroup_isKeptInTheFolder() throws Exception {
        GroupOptions options = new GroupOptions("a:1", List.of(), folder, Duration.ofSeconds(1), null);
        String id = "0123456789abcdef".repeat(2);
        try (MemberFolder created = MemberFolder.open(options, io)) {
            created.take();
            assertThat(created.group()).isEmpty();
            created.admit(id, List.of("a:1", "b:1"));
            assertThat(created.isCandidate()).isFalse();
        }
        Path file = folder.resolve(MemberFolder.GROUP);
        assertThat(file).hasContent(SmallFile.sealed("touchstone-group 1\n" + id + "\nfounders a:1 b:1\n"));
        try (MemberFolder opened = MemberFolder.open(options, io)) {
            assertThat(opened.group()).isEqualTo(id);
            assertThat(opened.founders()).containsExactly("a:1", "b:1");
            opened.admit(id, List.of());
        }
        assertThat(file).hasContent(SmallFile.sealed("touchstone-group 1\n" + id + "\nadded\n"));
        for (String origin : List.of("", "added\n")) { // of builds before 0.1.0, and now
            SmallFile.write(io, file, "touchstone-group 1\n" + id + "\n" + origin);
            try (MemberFolder opened = MemberFolder.open(options, io)) {
                assertThat(opened.group()).isEqualTo(id);
                assertThat(opened.founders()).isEmpty();
            }
        }
        for (String damaged : List.of(id.substring(1) + "\n", "\nadded\n", id + "\nfounders\n")) {
            SmallFile.write(io, file, "touchstone-group 1\n" + damaged);
            assertThatThrownBy(() -> MemberFolder.open(options, io))
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining(file.toString());
        }
        Files.delete(file);
        assertThatThrownBy(() -> MemberFolder.open(options, io))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("no file");
    }

    @Test
    void load_whatWasEncoded_isTheSame() throws Exception {
        KnownMembers members = new KnownMembers();
        members.put(new Identity("0".repeat(32), "a:1"));
        members.put(new Identity("1".repeat(32), "[::1]:2"));
        members.put(new Identity("2".repeat(32), "a:1"));
        Path file = folder.resolve(KnownMembers.FILE);
        SmallFile.write(io, file, members.encode());
        KnownMembers loaded = new KnownMembers();
        loaded.put(new Identity("3".repeat(32), "c:3"));
        loaded.load(io, file);
        assertThat(loaded.encode()).isEqualTo(members.encode());
        assertThat(loaded.id("a:1")).isEqualTo("2".repeat(32));
        loaded.retain(Set.of("a:1"));
        assertThat(loaded.id("[::1]:2")).isNull();
    }

    @Test
    void load_damaged_isRefused() throws Exception {
        KnownMembers members = new KnownMembers();
        members.put(new Identity("0".repeat(32), "a:1"));
        String whole = members.encode();
        for (int end = 0; end < whole.length() - 1; end++) {
            Path file = folder.resolve(KnownMembers.FILE);
            SmallFile.write(io, file, whole.substring(0, end));
            assertThatThrownBy(() -> new KnownMembers().load(io, file)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void layouts_arePinned() throws Exception {
        Identity identity = new Identity("0123456789abcdef".repeat(2), "a:1");
        Files.writeString(
                folder.resolve(Identity.FILE),
                "touchstone-member 1\n0123456789abcdef0123456789abcdef a:1\ncrc 3cb37738\n");
        assertThat(Identity.open(io, folder, "a:1", false)).isEqualTo(identity);
        KnownMembers members = new KnownMembers();
        members.put(identity);
        assertThat(members.encode()).isEqualTo("touchstone-members 1\n0123456789abcdef0123456789abcdef a:1\nend 1\n");
        assertThat(EntryFormat.machine(new byte[] {7, 8}).array()).containsExactly(1, 7, 8);
        assertThat(EntryFormat.announcement(identity).array())
                .startsWith(2, '0', '1')
                .hasSize(1 + 32 + 1 + 3);
        assertThat(Message.of(Message.Kind.PROPOSE, new byte[] {7}).bytes()).containsExactly(1, 7);
        assertThat(Message.of(Message.Kind.NOT_YET, "a").bytes()).containsExactly(70, 'a');
        assertThat(Message.class.getName()).isEqualTo("dev.touchstone.queue.replicated.link.Message");
    }

    @Test
    void message_bytes_areReadAgain() {
        for (Message.Kind kind : Message.Kind.values()) {
            Message message = Message.of(kind, "text \u00e4");
            Message read = Message.received(message.bytes());
            assertThat(read.kind()).isEqualTo(kind);
            assertThat(read.text()).isEqualTo("text \u00e4");
        }
        for (byte[] malformed : List.of(new byte[0], new byte[] {-1}, new byte[] {127, 1})) {
            assertThat(Message.received(malformed).kind()).isEqualTo(Message.Kind.MALFORMED);
            assertThat(Message.received(malformed).body()).hasSizeLessThan(2);
        }
        assertThat(Message.received(new byte[0]).text()).isEmpty();
    }
}

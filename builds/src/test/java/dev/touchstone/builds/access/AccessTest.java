package dev.touchstone.builds.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {
    private static final Token ALICES = Token.of("alice's own token");
    private static final Token AGENTS = Token.of("the agent's token");
    private static final Token SHARED = Token.of("what everybody knows");

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("tokens");
    }

    private static Caller found(Access access, Token token) {
        return Objects.requireNonNull(access.find(token.text()), "nobody has the token");
    }

    private static TokenTable table() {
        return TokenTable.EMPTY
                .with("alice", EnumSet.of(Role.SUBMIT, Role.READ), ALICES)
                .with("agent-1", EnumSet.of(Role.AGENT), AGENTS);
    }

    @Test
    void save_thenLoad_areTheSameCallersAndNoToken() throws IOException {
        table().save(file());
        assertThat(TokenTable.load(file()).callers()).isEqualTo(table().callers());
        assertThat(Files.readString(file())).doesNotContain(ALICES.text()).doesNotContain(AGENTS.text());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void find_tokensOfTheFile_andNoOthers() throws IOException {
        table().save(file());
        Access access = Access.of(null, file());
        Caller alice = found(access, ALICES);
        assertThat(alice.name()).isEqualTo("alice");
        assertThat(alice.roles()).containsExactlyInAnyOrder(Role.SUBMIT, Role.READ);
        assertThat(access.find(SHARED.text())).isNull();
        assertThat(access.find("")).isNull();
        assertThat(access.find("not\u0001printable")).isNull();
        assertThat(access.find(alice.sha256())).as("the digest is no token").isNull();
    }

    @Test
    void find_sharedToken_isAnyAgentAndMayAll() {
        Access access = Access.of(SHARED);
        Caller all = found(access, SHARED);
        assertThat(all.mayBeAgent("anything")).isTrue();
        assertThat(all.maySubmit() && all.maySee("alice") && all.mayCancel("alice"))
                .isTrue();
        assertThat(access.find(ALICES.text())).isNull();
        assertThat(access.refresh()).isFalse();
        assertThat(access.isValid(all)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        // roles, is agent a, is agent of another name, client, submits, sees own, sees another's, cancels own, cancels
        // another's
        "agent, true, false, false, false, false, false, false, false",
        "submit, false, false, true, true, true, false, true, false",
        "read, false, false, true, false, true, true, false, false",
        "admin, false, false, true, true, true, true, true, true",
        "'submit,read', false, false, true, true, true, true, true, false",
        "'agent,read', true, false, true, false, true, true, false, false",
    })
    void roles_allowWhatTheySay(
            String roles,
            boolean agent,
            boolean otherAgent,
            boolean client,
            boolean submits,
            boolean seesOwn,
            boolean seesOthers,
            boolean cancelsOwn,
            boolean cancelsOthers) {
        Caller caller = new Caller("a", TokenTable.roles(roles), "");
        assertThat(caller.mayBeAgent("a")).isEqualTo(agent);
        assertThat(caller.mayBeAgent("b")).isEqualTo(otherAgent);
        assertThat(caller.mayBeClient()).isEqualTo(client);
        assertThat(caller.maySubmit()).isEqualTo(submits);
        assertThat(caller.maySee("a")).isEqualTo(seesOwn);
        assertThat(caller.maySee("b")).isEqualTo(seesOthers);
        assertThat(caller.maySee("")).as("of the shared token").isEqualTo(seesOthers);
        assertThat(caller.mayCancel("a")).isEqualTo(cancelsOwn);
        assertThat(caller.mayCancel("b")).isEqualTo(cancelsOthers);
    }

    @Test
    void refresh_fileChanged_revokesAndAdds() throws IOException {
        table().save(file());
        Access access = Access.of(SHARED, file());
        Caller alice = found(access, ALICES);
        Caller agent = found(access, AGENTS);
        assertThat(access.refresh()).as("nothing has changed").isFalse();
        table().without("alice")
                .with("alice", Set.of(Role.READ), ALICES)
                .with("bob", Set.of(Role.READ), Token.of("bob's"))
                .save(file());
        assertThat(access.find("bob's")).isNull();
        assertThat(looks(access)).isTrue();
        assertThat(access.find("bob's")).isNotNull();
        assertThat(access.isValid(alice)).as("fewer roles").isFalse();
        assertThat(access.isValid(agent)).isTrue();
        table().without("agent-1").with("agent-1", Set.of(Role.AGENT), SHARED).save(file());
        assertThat(looks(access)).isTrue();
        assertThat(access.isValid(agent)).as("another token").isFalse();
        assertThat(found(access, SHARED).name())
                .as("the shared token is before the file's")
                .isEmpty();
    }

    /** Looks at the file until a change of it counts; returns whether there was one. */
    private static boolean looks(Access access) {
        boolean unused = access.refresh();
        return access.refresh();
    }

    @Test
    void refresh_fileChangedInPlace_withTheSameSizeAndTime_isSeen() throws IOException {
        table().save(file());
        Access access = Access.of(null, file());
        FileTime before = Files.getLastModifiedTime(file());
        String text = Files.readString(file());
        String digest = found(access, ALICES).sha256();
        Files.writeString(file(), text.replace(digest, "0".repeat(64)));
        Files.setLastModifiedTime(file(), before);
        assertThat(looks(access)).isTrue();
        assertThat(access.find(ALICES.text())).isNull();
    }

    @Test
    void refresh_fileEmptyForAMoment_revokesNobody() throws IOException {
        table().save(file());
        Access access = Access.of(null, file());
        byte[] bytes = Files.readAllBytes(file());
        Files.write(file(), new byte[0]);
        assertThat(access.refresh()).as("an editor has emptied it").isFalse();
        assertThat(access.find(ALICES.text())).isNotNull();
        Files.write(file(), bytes);
        assertThat(looks(access)).isFalse();
        Files.write(file(), new byte[0]);
        assertThat(looks(access)).as("it stays empty").isTrue();
        assertThat(access.find(ALICES.text())).isNull();
    }

    /** Looks that each find the file half written, though by another writer, must not agree. */
    @Test
    void refresh_fileWrittenAgainBetweenLooks_revokesNobody() throws IOException {
        table().save(file());
        Access access = Access.of(null, file());
        byte[] bytes = Files.readAllBytes(file());
        Files.write(file(), new byte[0]);
        assertThat(access.refresh()).isFalse();
        Object before = Files.getAttribute(file(), "unix:ctime");
        do {
            Files.write(file(), bytes);
            Files.write(file(), new byte[0]);
        } while (before.equals(
                Files.getAttribute(file(), "unix:ctime"))); // the kernel's clock has steps of some milliseconds
        assertThat(access.refresh()).isFalse();
        assertThat(access.find(ALICES.text())).isNotNull();
    }

    @Test
    void refresh_fileDamagedOrGone_keepsWhatWasRead() throws IOException {
        table().save(file());
        Access access = Access.of(null, file());
        Files.writeString(file(), "alice submit\n");
        assertThat(looks(access)).isFalse();
        assertThat(access.find(ALICES.text())).isNotNull();
        Files.delete(file());
        assertThat(looks(access)).isFalse();
        assertThat(access.find(ALICES.text())).isNotNull();
        TokenTable.EMPTY.save(file());
        assertThat(looks(access)).isTrue();
        assertThat(access.find(ALICES.text())).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "alice submit | line 2: expected name, roles and digest; words=2",
                "alice submit a-token-in-clear | line 2: digest is not 64 hexadecimal digits in lower case: name=alice characters=16",
                "alice owner %d | line 2: no such role: role=owner roles=agent,submit,read,admin",
                "alice submit,,read %d | line 2: no such role: role= roles=agent,submit,read,admin",
                "äl submit %d | line 2: name is not 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first: name=äl",
                "alice submit %d more | line 2: expected name, roles and digest; words=4",
            })
    void load_lineThatIsNone_namesItAndNoToken(String line, String message) throws IOException {
        Files.writeString(file(), "# a comment\n" + line.replace("%d", "0".repeat(64)) + "\n");
        assertThatThrownBy(() -> TokenTable.load(file()))
                .isInstanceOf(IOException.class)
                .hasMessage(file() + ": " + message);
    }

    @Test
    void load_nameOrTokenTwice_isRefused() throws IOException {
        String digest = "0".repeat(64);
        Files.writeString(file(), "a read " + digest + "\n\n a\tread  " + "1".repeat(64) + "\n");
        assertThatThrownBy(() -> TokenTable.load(file()))
                .hasMessageEndingWith("line 3: name has a token already: name=a");
        Files.writeString(file(), "a read " + digest + "\nb read " + digest + "\n");
        assertThatThrownBy(() -> TokenTable.load(file()))
                .hasMessageEndingWith("line 2: token has a name already: name=b");
    }

    @Test
    void load_bytesThatAreNoText_orTooMany_areRefused() throws IOException {
        Files.write(file(), new byte[] {'a', (byte) 0xff});
        assertThatThrownBy(() -> TokenTable.load(file())).hasMessageEndingWith("is not UTF-8");
        Files.write(file(), new byte[(1 << 20) + 1]);
        assertThatThrownBy(() -> TokenTable.load(file())).hasMessageEndingWith("more bytes than 1048576");
    }

    @Test
    void toString_ofACaller_hasNoDigest() {
        assertThat(table().callers()).hasToString("[alice, agent-1]");
    }
}

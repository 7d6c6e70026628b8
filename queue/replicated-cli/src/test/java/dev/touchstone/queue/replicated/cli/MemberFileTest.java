package dev.touchstone.queue.replicated.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.cli.Console;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.replicated.storage.SmallFile;
import dev.touchstone.queue.replication.GroupOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that describe no member. */
class MemberFileTest {
    @TempDir
    Path folder;

    private String err = "";

    private int run(String... args) {
        StringWriter errors = new StringWriter();
        int code = MemberCommands.execute(
                Console.of(new PrintWriter(new StringWriter()), new PrintWriter(errors, true)), args);
        err = errors.toString();
        return code;
    }

    private String file(String... lines) throws IOException {
        return Files.writeString(folder.resolve("member.conf"), String.join("\n", lines))
                .toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-elements=-5",
                "max-elements=many",
                "max-bytes=0",
                "max-bytes=9999999999999999999",
                "when-full=never",
                "max-record-bytes=0",
                "max-record-bytes=4194305",
                "segment-bytes=1",
                "segment-bytes=1073741825",
                "named-cursors-only=yes",
                "leases=0",
                "lease-seconds=0",
                "election-ms=-1",
                "election-ms=99",
                "answer-ms=0",
                "answer-ms=600001",
                "listen=127.0.0.1",
                "members=127.0.0.1:7100,,",
                "members=127.0.0.1:7100,127.0.0.1:7100",
                "members=127.0.0.1:7101,127.0.0.1:7102",
                "members=",
                "folder=",
                "tls-authority=authority.pem",
                "tls-certificate=certificate.pem",
                "tls-key=key.pem",
                "member=127.0.0.1:7101"
            })
    void read_wrongValue_isRefusedWithFileLineKeyValueAndExpectation(String line) throws Exception {
        String file = file("member=127.0.0.1:7100", "# a comment", line);
        for (String command : new String[] {"member", "status", "verify"}) {
            assertThat(run(command, file)).as(err).isEqualTo(2);
            assertThat(err)
                    .startsWith(file + " line 3: " + line + ": expected ")
                    .hasLineCount(1);
        }
    }

    @Test
    void read_wrongMember_isRefused() throws Exception {
        String file = file("member=127.0.0.1");
        assertThat(run("member", file)).isEqualTo(2);
        assertThat(err).startsWith(file + " line 1: member=127.0.0.1: expected HOST:PORT");
    }

    @Test
    void read_folderIsAPlainFile_isRefused() throws Exception {
        Path plain = Files.createFile(folder.resolve("plain"));
        for (Path each : new Path[] {plain, plain.resolve("below")}) {
            String file = file("member=127.0.0.1:7100", "folder=" + each);
            assertThat(run("member", file)).as(err).isEqualTo(2);
            assertThat(err)
                    .startsWith(
                            file + " line 2: folder=" + each + ": expected a folder or a new path, not a plain file")
                    .hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listen=192.0.2.1:7100: expected an address of this machine",
                "listen=no-such-host.invalid:7100: expected an address of this machine, or listen=HOST:PORT with one: unknown host no-such",
                "folder=/proc/none/member: expected a folder, or a path at which one can be made: "
            })
    void member_valueThatThisMachineRefuses_isRefused(String expected) throws Exception {
        String line = expected.substring(0, expected.indexOf(": "));
        String other = line.startsWith("folder") ? "# a comment" : "folder=" + folder.resolve("data");
        String file = file("member=127.0.0.1:7100", "members=127.0.0.1:7100", line, other);
        assertThat(run("member", file)).as(err).isEqualTo(2);
        assertThat(err).startsWith(file + " line 3: " + expected).hasLineCount(1);
    }

    @Test
    void member_folderOfAnotherMember_isRefused() throws Exception {
        SmallFile.write(
                new DiskFileIo(),
                Files.createDirectories(GroupOptions.folderIn(folder)).resolve("member"),
                "touchstone-member 1\n" + "1".repeat(32) + " 127.0.0.1:7101\n");
        String file = file("member=127.0.0.1:7100", "folder=" + folder);
        assertThat(run("member", file)).as(err).isEqualTo(2);
        assertThat(err)
                .startsWith(file
                        + " line 1: member=127.0.0.1:7100: expected 127.0.0.1:7101, the member whose folder this is")
                .hasLineCount(1);
    }

    @Test
    void read_byteOrderMark_isPassed() throws Exception {
        String file = file("\ufeffmember=127.0.0.1:1", "folders=x");
        assertThat(run("status", file)).isEqualTo(2);
        assertThat(err).startsWith(file + " line 2: not a setting: folders=x");
    }

    @Test
    void read_highestValues_areTaken() throws Exception {
        String file =
                file("member=127.0.0.1:1", "answer-ms=600000", "segment-bytes=1073741824", "max-record-bytes=4194304");
        assertThat(run("member", file)).isEqualTo(2);
        assertThat(err).startsWith(file + ": folder is missing");
    }

    @Test
    void read_missingOrUnknownSetting_isRefused() throws Exception {
        String file = file("member=127.0.0.1:1", "folders=x");
        assertThat(run("status", file)).isEqualTo(2);
        assertThat(err).startsWith(file + " line 2: not a setting: folders=x");
        assertThat(run("member", file("folder=x"))).isEqualTo(2);
        assertThat(err).startsWith(file + ": member is missing");
        assertThat(run("member", file("member=127.0.0.1:1"))).isEqualTo(2);
        assertThat(err).startsWith(file + ": folder is missing");
    }

    @Test
    void read_tlsFileIsMissing_isRefused() throws Exception {
        String missing = folder.resolve("none.pem").toString();
        String file = file(
                "member=127.0.0.1:1",
                "folder=" + folder,
                "tls-certificate=" + missing,
                "tls-key=" + missing,
                "tls-authority=" + missing);
        for (String command : new String[] {"member", "status"}) {
            assertThat(run(command, file)).isEqualTo(2);
            assertThat(err)
                    .startsWith(file + ": TLS: no such file: certificate=" + missing)
                    .hasLineCount(1);
        }
    }

    @Test
    void read_noFile_isRefusedWithItsPath() throws Exception {
        assertThat(run("status", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(err).contains(folder.resolve("none").toString());
        assertThat(run("status", folder.toString())).isEqualTo(2);
        assertThat(err).startsWith(folder + " is a folder");
        Path bytes = Files.write(folder.resolve("bytes"), new byte[] {'a', (byte) 0xff});
        assertThat(run("status", bytes.toString())).isEqualTo(2);
        assertThat(err).startsWith(bytes + " is not text in UTF-8");
    }

    @Test
    void changes_addressThatIsNone_areRefused() throws Exception {
        for (String command : new String[] {"add", "remove", "transfer"}) {
            assertThat(run(command, file("member=127.0.0.1:1"), "zzz")).isEqualTo(2);
            assertThat(err).contains("HOST:PORT", "zzz").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5"})
    void verify_timeoutIsNotPositive_isRefused(String seconds) throws Exception {
        String file = file("member=127.0.0.1:7100", "folder=" + folder.resolve("data"));
        assertThat(run("verify", file, "--timeout", seconds)).isEqualTo(2);
        assertThat(err).contains("--timeout", "expected 1 second or more, got " + seconds);
    }
}

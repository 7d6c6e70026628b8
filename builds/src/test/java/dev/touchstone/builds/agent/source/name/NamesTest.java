package dev.touchstone.builds.agent.source.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static final Set<String> SCHEMES = RepositoryUrl.DEFAULT_SCHEMES;

    @TempDir
    Path tmp;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "repo",
                "/srv/repo",
                "../repo",
                "host:path",
                "user@host:path",
                "ext::sh -c touch% /tmp/x",
                "ext://sh",
                "http://host/repo",
                "git://host/repo",
                "ftp://host/repo",
                "fd://3",
                "-oProxyCommand=x",
                "--upload-pack=x",
                "ssh://-oProxyCommand=touch/x",
                "ssh://-oProxyCommand=touch@host/x",
                "ssh://host/-u",
                "ssh://user:pass@host/repo",
                "https://user:pass@host/repo",
                "https:///repo",
                "https://host",
                "https://host/",
                "https://ho st/repo",
                "https://host/a/../../b",
                "https://host/%2e%2e/b",
                "https://host/a%00b",
                "https://host/a%0ab",
                "https://host/repo#branch",
                "https://host/repo?x=y",
                "https://host/re\npo",
                "https://host/rép",
                "file://host/repo",
                "file:///",
                "file:///srv/../etc",
                "git+ext://host/x",
                "git+git+ssh://host/x",
                "https://host:-1/x"
            })
    void repositoryUrl_hostile_isRefused(String text) {
        assertThatThrownBy(() -> RepositoryUrl.parse(text, SCHEMES)).isInstanceOf(SourceRefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://host/repo.git",
                "git+https://host:8443/a/b/c",
                "ssh://git@host.example/a.git",
                "git+ssh://git@host:22/~user/a",
                "file:///srv/git/a%20b.git",
                "git+file:///srv/git/a",
                "HTTPS://host/x",
                "https://[::1]:80/x"
            })
    void repositoryUrl_plain_isTaken(String text) {
        RepositoryUrl url = RepositoryUrl.parse(text, SCHEMES);
        assertThat(SCHEMES).contains(url.scheme());
        assertThat(url.text()).startsWith(url.scheme() + "://");
        assertThat(url.folder()).matches("[a-z0-9_-]{22,51}");
    }

    @Test
    void repositoryUrl_withPassword_isRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> RepositoryUrl.parse("https://me:hunter22@host/x", SCHEMES))
                .hasMessageNotContaining("hunter22");
    }

    @Test
    void repositoryUrl_tooLong_isRefused() {
        assertThatThrownBy(() -> RepositoryUrl.parse("https://host/" + "x".repeat(3_000), SCHEMES))
                .isInstanceOf(SourceRefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-u",
                "--upload-pack=touch x",
                "../..",
                "../../../..",
                "a/../b",
                "a..b",
                ".hidden",
                "a/.b",
                "/abs",
                "a/",
                "a//b",
                "a b",
                "a\tb",
                "a\nb",
                "a\0b",
                "a~1",
                "a^",
                "a:b",
                "a?b",
                "a*b",
                "a[b",
                "a\\b",
                "a@{1}",
                "a.lock",
                "a/b.lock/c",
                "a."
            })
    void branchName_hostile_isRefused(String name) {
        assertThatThrownBy(() -> BranchName.parse(name)).isInstanceOf(SourceRefusedException.class);
    }

    @Test
    void branchName_longStep_isRefusedAndLongestIsTaken() {
        assertThatThrownBy(() -> BranchName.parse("x".repeat(255))).isInstanceOf(SourceRefusedException.class);
        assertThatThrownBy(() -> BranchName.parse("é".repeat(126))).isInstanceOf(SourceRefusedException.class);
        assertThatThrownBy(() -> BranchName.parse("x/".repeat(600) + "x")).isInstanceOf(SourceRefusedException.class);
        assertThat(BranchName.parse("x".repeat(250)).folder()).hasSizeLessThan(52);
    }

    @ParameterizedTest
    @ValueSource(strings = {"master", "feature/a-b_c", "é/ü", "日本", "release/1.0", "a#b", "HEAD", "a'b\"c;$(x)"})
    void branchName_plain_isTaken(String name) {
        assertThat(BranchName.parse(name).folder()).matches("[a-z0-9_]*-[0-9a-f]{20}");
    }

    @Test
    void branchName_similar_haveFoldersOfTheirOwn() {
        assertThat(Set.of(
                        BranchName.parse("a/b").folder(),
                        BranchName.parse("a_b").folder(),
                        BranchName.parse("A_b").folder(),
                        BranchName.parse("a-b").folder()))
                .hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/bin/sh",
                "../x",
                "a/../../x",
                "./x",
                "a//b",
                "a/",
                "-c",
                "a/-x",
                ".git/hooks/x",
                ".GIT/config",
                "a\0b",
                "a\nb",
                "C:\\x",
                "a\\b"
            })
    void scriptPath_hostile_isRefused(String path) {
        assertThatThrownBy(() -> ScriptPath.parse(path)).isInstanceOf(SourceRefusedException.class);
    }

    @Test
    void scriptPath_links_areTakenWhenTheyStayInTheTree() throws IOException {
        Path tree = tmp.resolve("tree");
        Files.createDirectories(tree.resolve("dir"));
        Files.writeString(tmp.resolve("outside.sh"), "");
        Files.createDirectory(tmp.resolve("tree-2"));
        Files.writeString(tmp.resolve("tree-2/x.sh"), "");
        Files.writeString(tree.resolve("dir/in.sh"), "");
        Files.createSymbolicLink(tree.resolve("good.sh"), Path.of("dir/in.sh"));
        Files.createSymbolicLink(tree.resolve("bad.sh"), Path.of("../outside.sh"));
        Files.createSymbolicLink(tree.resolve("bad-folder"), Path.of(".."));
        Files.createSymbolicLink(tree.resolve("sibling"), Path.of("../tree-2"));
        Files.createSymbolicLink(tree.resolve("nothing.sh"), Path.of("gone"));
        assertThat(ScriptPath.parse("good.sh").in(tree)).isEqualTo(tree.resolve("good.sh"));
        assertThat(ScriptPath.parse("dir/in.sh").in(tree)).isEqualTo(tree.resolve("dir/in.sh"));
        for (String path :
                new String[] {"bad.sh", "bad-folder/outside.sh", "sibling/x.sh", "nothing.sh", "dir", "missing.sh"}) {
            assertThatThrownBy(() -> ScriptPath.parse(path).in(tree))
                    .as(path)
                    .isInstanceOf(SourceRefusedException.class)
                    .hasMessageContaining(path);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HEAD",
                "abc",
                "-1",
                "0123456789012345678901234567890123456789 ",
                "0123456789ABCDEF0123456789ABCDEF01234567"
            })
    void commitId_notWhole_isRefused(String hex) {
        assertThatThrownBy(() -> CommitId.parse(hex)).isInstanceOf(SourceRefusedException.class);
    }
}

package dev.touchstone.serialization.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hazelcast.core.HazelcastInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients in other languages read what we write, and we what they write. {@code .ci/run} installs them. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OtherClientsTest {
    private static final String PYTHON = "python3";
    private static final String NODE = "node";
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    Path folder = Path.of("");

    @Test
    void pythonClient_copiesOurValues() throws Exception {
        assumePython();
        checkCopies(PYTHON, "trades.py");
    }

    @Test
    void nodeClient_copiesOurValues() throws Exception {
        assumeNode();
        checkCopies(NODE, "trades.js");
    }

    @Test
    void pythonCode_thatIsGenerated_copiesOurRecords() throws Exception {
        assumePython();
        checkGenerated("python", PYTHON, OtherProgram.script("generated.py").toString());
    }

    @Test
    void typeScriptCode_thatIsGeneratedAndCompiled_copiesOurRecords() throws Exception {
        assumeNode();
        assumeTrue(
                OtherProgram.succeeds(
                        NODE,
                        "-e",
                        "require.resolve('typescript/bin/tsc'); require.resolve('@types/node/package.json')"),
                "no TypeScript: npm install typescript@5.6.3 @types/node@20.19.0, and NODE_PATH=<where>/node_modules");
        checkGenerated("typescript", NODE, folder.resolve("generated.js").toString());
    }

    private static void assumePython() throws InterruptedException {
        assumeTrue(
                OtherProgram.succeeds(PYTHON, "-c", "import hazelcast"),
                "no Python client: pip install hazelcast-python-client==5.7.0, and PYTHONPATH where it is not in the default place");
    }

    private static void assumeNode() throws InterruptedException {
        assumeTrue(
                OtherProgram.succeeds(NODE, "-e", "require('hazelcast-client')"),
                "no Node.js client: npm install hazelcast-client@5.7.0, and NODE_PATH=<where>/node_modules");
    }

    private static void checkCopies(String interpreter, String script) throws Exception {
        try (Cluster cluster = new Cluster()) {
            List<Integer> ports = Cluster.freePorts(1);
            HazelcastInstance member = cluster.member(ports.get(0), ports);
            CompactMap<Integer, Trade> map = CompactMap.of(member, "trades", new Trade.Codec());
            for (int key = 1; key <= 5; key++) {
                map.set(key, Trade.of(key));
            }
            String out = OtherProgram.run(
                    interpreter,
                    OtherProgram.script(script).toString(),
                    cluster.name,
                    ports.get(0).toString(),
                    "trades");
            assertThat(out).as("the copy too").contains("found 2");
            for (int key = 1; key <= 5; key++) {
                assertThat(map.get(100 + key)).isEqualTo(Trade.of(key));
                assertThat(map.getBytes(100 + key)).isEqualTo(map.getBytes(key));
            }
        }
    }

    /** Each record is copied byte for byte; an older one, and a new object, have what the lock states for missing fields. */
    private void checkGenerated(String language, String interpreter, String script) throws Exception {
        WideRecords wide = new WideRecords();
        generate(wide, language);
        if (interpreter.equals(NODE)) {
            compile();
        }
        try (Cluster cluster = new Cluster()) {
            List<Integer> ports = Cluster.freePorts(1);
            HazelcastInstance member = cluster.member(ports.get(0), ports);
            CompactMap<Integer, Trade> map = CompactMap.of(member, "records", new Trade.Codec(), wide.serialization);
            List<byte[]> records = new ArrayList<>(wide.records());
            List<byte[]> copies = new ArrayList<>(records);
            for (String text : WideRecords.ALPHABETS) {
                records.add(wide.oldRecord(text));
                copies.add(wide.newRecord(text));
            }
            for (int i = 0; i < records.size(); i++) {
                map.setBytes(i + 1, records.get(i));
            }
            map.setBytes(300, wide.recordOfAnUnknownConstant());
            String out = OtherProgram.run(
                    interpreter,
                    script,
                    cluster.name,
                    ports.get(0).toString(),
                    "records",
                    String.valueOf(records.size()),
                    folder.toString());
            assertThat(out).as("constant that the lock does not know").contains("refused:", "MAUVE");
            for (int i = 0; i < records.size(); i++) {
                checkSame(wide, requireNonNull(map.getBytes(101 + i)), copies.get(i));
            }
            checkSame(wide, requireNonNull(map.getBytes(200)), wide.newRecord(null));
        }
    }

    private static void checkSame(WideRecords wide, byte[] actual, byte[] expected) {
        assertThat(wide.json.toJson(actual)).isEqualTo(wide.json.toJson(expected));
        assertThat(actual).isEqualTo(expected);
    }

    private void generate(WideRecords wide, String language) throws Exception {
        Path lock = folder.resolve("compact.lock");
        wide.lock.write(lock);
        OtherProgram.run(
                JAVA,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.touchstone.serialization.cli.Main",
                "code",
                "--language",
                language,
                "--lock",
                lock.toString(),
                "--out",
                folder.toString());
    }

    /** Compiles the generated code together with the script that uses it, by the strictest rules. */
    private void compile() throws Exception {
        Path client = Path.of(OtherProgram.run(NODE, "-p", "require.resolve('hazelcast-client/package.json')")
                .strip());
        Path modules = client.resolve("../..").normalize();
        Files.createSymbolicLink(folder.resolve("node_modules"), modules);
        Path script = folder.resolve("generated.ts");
        Files.copy(OtherProgram.script("generated.ts"), script, StandardCopyOption.REPLACE_EXISTING);
        OtherProgram.run(
                NODE,
                OtherProgram.run(NODE, "-p", "require.resolve('typescript/bin/tsc')")
                        .strip(),
                "--strict",
                "--noUnusedLocals",
                "--noUnusedParameters",
                "--exactOptionalPropertyTypes",
                "--esModuleInterop",
                "--isolatedModules",
                "--target",
                "es2020",
                "--module",
                "commonjs",
                script.toString());
    }
}

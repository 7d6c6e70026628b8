package dev.touchstone.builds;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.builds", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "dev.touchstone.builds";

    @ArchTest
    static final ArchRule needsItsLibrariesOnly = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    ROOT + "..",
                    "dev.touchstone.cli",
                    "dev.touchstone.messaging..",
                    "dev.touchstone.queue..",
                    "java..",
                    "javax.crypto..",
                    "javax.net",
                    "javax.net.ssl",
                    "com.fasterxml.jackson.core",
                    "com.fasterxml.jackson.databind..",
                    "com.google.errorprone.annotations.concurrent",
                    "com.google.protobuf..",
                    "com.sun.net.httpserver",
                    "io.grpc..",
                    "io.lettuce.core..",
                    "org.eclipse.jgit..",
                    "org.java_websocket..",
                    "org.jspecify.annotations",
                    "org.snakeyaml.engine..",
                    "picocli")));

    @ArchTest
    static final ArchRule redisIsKnownToOutputOnly = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".output")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.lettuce..", "io.netty..");

    @ArchTest
    static final ArchRule webSocketsAreKnownToTheOriginsRoomOnly = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".origin")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.java_websocket..");

    @ArchTest
    static final ArchRule commandLineIsKnownToItselfOnly = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".cli")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli", "dev.touchstone.cli", "org.snakeyaml..");

    @ArchTest
    static final ArchRule wireKnowsTheApiOnly = noClasses()
            .that()
            .resideInAPackage(ROOT + ".wire..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(ROOT + "..").and(not(resideInAnyPackage(ROOT, ROOT + ".wire.."))));

    @ArchTest
    static final ArchRule termsAreTheJournals = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".master.journal")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.touchstone.messaging..");

    @ArchTest
    static final ArchRule masterKnowsNoAgentAndNoClient = noClasses()
            .that()
            .resideInAPackage(ROOT + ".master..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".agent..", ROOT + ".link", ROOT + ".client", ROOT + ".cli");

    @ArchTest
    static final ArchRule jobsKnowNoConnections = noClasses()
            .that()
            .resideInAPackage(ROOT + ".master.job")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".master", ROOT + ".master.agent", ROOT + ".master.client");

    @ArchTest
    static final ArchRule agentsKnowNoClients = noClasses()
            .that()
            .resideInAPackage(ROOT + ".master.agent")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".master", ROOT + ".master.client");

    @ArchTest
    static final ArchRule filesAndStreamsKnowNoJobs = noClasses()
            .that()
            .resideInAnyPackage(
                    ROOT + ".master.log", ROOT + ".master.artefact", ROOT + ".master.journal", ROOT + ".master.rpc")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    ROOT + ".master", ROOT + ".master.job", ROOT + ".master.agent", ROOT + ".master.client");

    @ArchTest
    static final ArchRule sinksStandAlone = noClasses()
            .that()
            .resideInAPackage(ROOT + ".output")
            .should()
            .dependOnClassesThat(resideInAnyPackage(ROOT + "..", "dev.touchstone.messaging..", "dev.touchstone.queue..")
                    .and(not(resideInAnyPackage(ROOT, ROOT + ".file", ROOT + ".output"))));

    @ArchTest
    static final ArchRule processesAreStartedByTheAgentOnly = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".agent..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.lang\\.(Process|ProcessBuilder)");

    @ArchTest
    static final ArchRule noSockets = noClasses()
            .that()
            .haveNameNotMatching(
                    ".*\\.(master\\.rpc\\.(ConnectionGate|GuestSocket)|origin\\.Origin(Door|Gateway|Server))(\\$.*)?") // for the transports
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.net\\.(Server)?Socket|java\\.nio\\.channels\\..*SocketChannel");

    @Test
    void module_exportsTheApiOnly() throws URISyntaxException {
        Path classes = Path.of(BuildClient.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module =
                ModuleFinder.of(classes).find(ROOT).orElseThrow().descriptor();
        assertThat(module.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(ROOT, ROOT + ".connect");
    }
}

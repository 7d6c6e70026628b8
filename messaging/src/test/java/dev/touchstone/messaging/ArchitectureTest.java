package dev.touchstone.messaging;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.messaging", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule needsTheJdkOnly = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.messaging..",
                    "java..",
                    "javax.net.ssl",
                    "jdk.jfr",
                    "com.google.errorprone.annotations..",
                    "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule termsKnowNothingElse = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.messaging.term")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.touchstone.messaging..")
                    .and(not(resideInAnyPackage("dev.touchstone.messaging.term"))));

    @ArchTest
    static final ArchRule codecKnowsTermsOnly = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.messaging.etf")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.touchstone.messaging..")
                    .and(not(resideInAnyPackage("dev.touchstone.messaging.term", "dev.touchstone.messaging.etf"))));

    /** Bytes in, bytes or a verdict out. */
    @ArchTest
    static final ArchRule handshakeKnowsNoSocket = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.messaging.handshake")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net", "java.nio.channels..", "javax.net..");

    @ArchTest
    static final ArchRule socketsAreTouchedInDistAndEpmdOnly = noClasses()
            .that()
            .resideOutsideOfPackages("dev.touchstone.messaging.dist", "dev.touchstone.messaging.epmd")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.nio\\.channels\\..*|java\\.net\\.(Server|Datagram)?Socket");

    @ArchTest
    static final ArchRule dataBindingUsesCodecAndTermsOnly = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.messaging.databind")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.touchstone.messaging",
                    "dev.touchstone.messaging.dist",
                    "dev.touchstone.messaging.engine",
                    "dev.touchstone.messaging.epmd",
                    "dev.touchstone.messaging.handshake");

    @Test
    void module_exportsTheApiOnly() throws URISyntaxException {
        Path classes = Path.of(
                Node.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleDescriptor module = ModuleFinder.of(classes)
                .find("dev.touchstone.messaging")
                .orElseThrow()
                .descriptor();
        assertThat(module.exports())
                .filteredOn(export -> !export.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(
                        "dev.touchstone.messaging",
                        "dev.touchstone.messaging.behaviour",
                        "dev.touchstone.messaging.databind",
                        "dev.touchstone.messaging.epmd",
                        "dev.touchstone.messaging.etf",
                        "dev.touchstone.messaging.identity",
                        "dev.touchstone.messaging.stats",
                        "dev.touchstone.messaging.term");
        assertThat(module.requires())
                .extracting(ModuleDescriptor.Requires::name)
                .containsExactlyInAnyOrder("java.base", "com.google.errorprone.annotations", "jdk.jfr", "org.jspecify");
    }

    /** The module system reads the one, the class path the other. */
    @Test
    void services_ofModuleAndClassPath_areTheSame() throws IOException, URISyntaxException {
        Path classes = Path.of(
                Node.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleDescriptor module = ModuleFinder.of(classes)
                .find("dev.touchstone.messaging")
                .orElseThrow()
                .descriptor();
        assertThat(module.provides()).hasSize(1).allSatisfy(service -> {
            assertThat(service.service()).isEqualTo(NodeBuilder.class.getName());
            assertThat(Files.readAllLines(classes.resolve("META-INF/services/" + service.service())))
                    .isEqualTo(service.providers());
        });
    }
}

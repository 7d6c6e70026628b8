package dev.touchstone.queue;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.touchstone.queue.log.Lz4Codec;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.queue", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule needsTheJdkOnly = noClasses()
            .that()
            .doNotBelongToAnyOf(Lz4Codec.class) // of an optional dependency
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.queue..",
                    "java..",
                    "com.google.errorprone.annotations..",
                    "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule logKnowsNothingOfTheQueue = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.queue.log..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.touchstone.queue");

    @ArchTest
    static final ArchRule logIsReachedThroughBuilderQueueAndExceptionsOnly = classes()
            .that()
            .resideInAPackage("dev.touchstone.queue.log..")
            .should()
            .onlyBeAccessed()
            .byClassesThat()
            .resideInAPackage("dev.touchstone.queue.log..")
            .orShould()
            .onlyBeAccessed()
            .byClassesThat()
            .haveNameMatching(
                    "dev\\.touchstone\\.queue\\.((log|inspect|replica)\\..*|DiskQueueBuilder.*|LogQueue.*|Element.*|QueueException|ReplicatedView)");

    @ArchTest
    static final ArchRule migrationUsesTheApiOnly = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.queue.migrate")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.touchstone.queue.log..");

    /** Our own files through the seam behind which tests cut the power; those of other queues are read only, and have one of their own. */
    @ArchTest
    static final ArchRule filesAreTouchedInOnePlace = noClasses()
            .that()
            .haveNameNotMatching(".*\\.(log\\.DiskFileIo|log\\.ReopeningFile|migrate\\.SourceFile)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                    "java\\.nio\\.(channels\\.(File|SeekableByte)Channel|file\\.Files)|java\\.io\\.(File|RandomAccessFile|File.*Stream)");

    @Test
    void module_exportsTheApiOnly() throws URISyntaxException {
        Path classes = Path.of(DiskQueue.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module = ModuleFinder.of(classes)
                .find("dev.touchstone.queue")
                .orElseThrow()
                .descriptor();
        assertThat(module.exports())
                .filteredOn(export -> !export.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder("dev.touchstone.queue", "dev.touchstone.queue.migrate");
    }
}

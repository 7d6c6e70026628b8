package dev.touchstone.index;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.touchstone.index.price.PriceIndex;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.index", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule needsACacheOnly = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.index..",
                    "java..",
                    "com.github.benmanes.caffeine.cache",
                    "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule onlyPayloadsAreCached = noClasses()
            .that()
            .doNotHaveSimpleName("PayloadCache")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.github.benmanes..");

    @ArchTest
    static final ArchRule tablesKnowNothingElse = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.index.table")
            .should()
            .dependOnClassesThat(
                    not(resideInAnyPackage("dev.touchstone.index.table", "java..", "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule samplesUseTheApiOnly = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.index.sample")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.touchstone.index.engine", "dev.touchstone.index.file", "dev.touchstone.index.table");

    @ArchTest
    static final ArchRule theEngineKnowsNoFrontAndNoFile = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.index.engine")
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.index",
                    "dev.touchstone.index.engine",
                    "dev.touchstone.index.table",
                    "java..",
                    "com.github.benmanes.caffeine.cache",
                    "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule filesAreTouchedInOnePackage = noClasses()
            .that()
            .resideOutsideOfPackage("dev.touchstone.index.file")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.nio\\.channels\\..*|java\\.nio\\.file\\.Files");

    @ArchTest
    static final ArchRule usesNoReflection =
            noClasses().should().dependOnClassesThat().resideInAPackage("java.lang.reflect");

    @Test
    void module_exportsTheApiAndSamplesOnly() throws URISyntaxException {
        Path classes = Path.of(PriceIndex.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module = ModuleFinder.of(classes)
                .find("dev.touchstone.index")
                .orElseThrow()
                .descriptor();
        assertThat(module.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(
                        "dev.touchstone.index",
                        "dev.touchstone.index.entry",
                        "dev.touchstone.index.price",
                        "dev.touchstone.index.sample");
        assertThat(module.requires())
                .extracting(ModuleDescriptor.Requires::name)
                .containsExactlyInAnyOrder("java.base", "org.jspecify", "com.github.benmanes.caffeine");
    }
}

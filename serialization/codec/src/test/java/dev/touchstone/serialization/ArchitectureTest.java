package dev.touchstone.serialization;

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
@AnalyzeClasses(packages = "dev.touchstone.serialization", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule needsTheJdkOnly = noClasses()
            .should()
            .dependOnClassesThat(
                    not(resideInAnyPackage("dev.touchstone.serialization..", "java..", "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule usesNoReflection =
            noClasses().should().dependOnClassesThat().resideInAPackage("java.lang.reflect");

    @ArchTest
    static final ArchRule layoutKnowsNothingElse = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.serialization.layout")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.touchstone.serialization..")
                    .and(not(resideInAnyPackage("dev.touchstone.serialization.layout"))));

    @Test
    void module_exportsTheApiOnly() throws URISyntaxException {
        Path classes = Path.of(CompactCodec.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module = ModuleFinder.of(classes)
                .find("dev.touchstone.serialization")
                .orElseThrow()
                .descriptor();
        assertThat(module.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(
                        "dev.touchstone.serialization",
                        "dev.touchstone.serialization.container",
                        "dev.touchstone.serialization.exception",
                        "dev.touchstone.serialization.annotation",
                        "dev.touchstone.serialization.schema");
        assertThat(module.requires())
                .extracting(ModuleDescriptor.Requires::name)
                .containsExactlyInAnyOrder("java.base", "org.jspecify");
    }
}

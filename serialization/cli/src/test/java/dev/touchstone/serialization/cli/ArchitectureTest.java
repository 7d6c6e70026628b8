package dev.touchstone.serialization.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.serialization.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule knowsTheCodecsApiOnly = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.cli",
                    "dev.touchstone.serialization",
                    "dev.touchstone.serialization.cli..",
                    "dev.touchstone.serialization.container",
                    "dev.touchstone.serialization.exception",
                    "dev.touchstone.serialization.json",
                    "dev.touchstone.serialization.schema",
                    "java..",
                    "picocli..",
                    "com.fasterxml.jackson..",
                    "org.jspecify.annotations")));
}

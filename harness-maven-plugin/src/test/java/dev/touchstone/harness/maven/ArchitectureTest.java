package dev.touchstone.harness.maven;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.harness.maven", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule startsTheHarnessAsAProcessOnly = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.harness.maven",
                    "org.apache.maven.artifact..",
                    "org.apache.maven.plugin..",
                    "org.apache.maven.plugins.annotations..",
                    "java..",
                    "org.jspecify..")));
}

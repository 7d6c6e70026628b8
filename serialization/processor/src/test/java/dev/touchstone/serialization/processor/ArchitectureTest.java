package dev.touchstone.serialization.processor;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("sweep")
@AnalyzeClasses(
        packages = "dev.touchstone.serialization.processor..",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule needsTheCompilerAndTheCodec = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.serialization",
                    "dev.touchstone.serialization.processor..",
                    "dev.touchstone.serialization.annotation",
                    "dev.touchstone.serialization.exception",
                    "dev.touchstone.serialization.schema",
                    "java..",
                    "javax.annotation.processing",
                    "javax.lang.model..",
                    "javax.tools",
                    "org.jspecify.annotations")));
}

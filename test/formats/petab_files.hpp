#pragma once

#include <map>
#include <string>

#include "formats/sbml_models.hpp"

namespace salvo::formats {

using Texts = std::map<std::string, std::string>;

// A small problem of PEtab 1 around the model of sbml_models.hpp, with two conditions and noise by placeholder.
inline Texts petab_files() {
  return {
      {"problem.yaml",
       "format_version: 1\nparameter_file: parameters.tsv\nproblems:\n- condition_files: [conditions.tsv]\n"
       "  measurement_files: [measurements.tsv]\n  observable_files: [observables.tsv]\n  sbml_files: [model.xml]\n"},
      {"model.xml", conversion_model()},
      {"parameters.tsv",
       "parameterId\tparameterScale\tlowerBound\tupperBound\tnominalValue\testimate\n"
       "k\tlog10\t0.01\t10\t0.5\t1\ns\tlin\t0.1\t10\t2\t1\nsd\tlog10\t1e-3\t10\t0.1\t0\n"},
      {"conditions.tsv", "conditionId\tconditionName\tA\tB\nlow\tlow dose\t1\t\nhigh\thigh dose\ts\t0.25\n"},
      {"observables.tsv",
       "observableId\tobservableFormula\tnoiseFormula\tobservableTransformation\n"
       "a\tA\tsd\tlin\nb\tobservableParameter1_b*B\tnoiseParameter1_b\tlog10\n"},
      {"measurements.tsv",
       "observableId\tsimulationConditionId\tmeasurement\ttime\tobservableParameters\tnoiseParameters\n"
       "a\tlow\t0.9\t1\t\t\nb\tlow\t1.5\t1\ts\t0.1\nb\thigh\t1.5\t2\t3\t0.2\na\thigh\t0.7\t2\n"}};
}

// The same in PEtab 2.
inline Texts petab_files_of_version_two() {
  Texts files = petab_files();
  files["problem.yaml"] =
      "format_version: 2.0.0\nparameter_files: [parameters.tsv]\nobservable_files: [observables.tsv]\n"
      "measurement_files: [measurements.tsv]\ncondition_files: [conditions.tsv]\nexperiment_files: [experiments.tsv]\n"
      "model_files:\n  m: {location: model.xml, language: sbml}\n";
  files["parameters.tsv"] =
      "parameterId\tlowerBound\tupperBound\tnominalValue\testimate\tpriorDistribution\tpriorParameters\n"
      "k\t0.01\t10\t0.5\ttrue\tnormal\t1;2\ns\t0.1\t10\t2\ttrue\t\t\nsd\t\t\t0.1\tfalse\t\t\n";
  files["conditions.tsv"] = "conditionId\ttargetId\ttargetValue\nlow\tA\t1\nhigh\tA\ts + 1\nhigh\tB\t0.25\n";
  files["experiments.tsv"] = "experimentId\ttime\tconditionId\ne1\t0\tlow\ne2\t1\thigh\n";
  files["observables.tsv"] =
      "observableId\tobservableFormula\tnoiseFormula\tnoiseDistribution\tobservablePlaceholders\tnoisePlaceholders\n"
      "a\tA\tsd\tnormal\t\t\nb\tfactor*B\tnoise\tlog-normal\tfactor\tnoise\n";
  files["measurements.tsv"] =
      "observableId\texperimentId\tmeasurement\ttime\tobservableParameters\tnoiseParameters\n"
      "a\te1\t0.9\t1\t\t\nb\te1\t1.5\t1\ts\t0.1\nb\te2\t1.5\t2\t3\t0.2\na\te2\t0.7\t2\n";
  return files;
}

}  // namespace salvo::formats
